import { createTransport } from 'nodemailer';
import { request } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { startMailbox } from '../../../sandbox/mailbox/mailbox.ts';

async function open() {
  const mailbox = await startMailbox({ port: 0 });
  onTestFinished(() => mailbox.close());
  const transport = createTransport(mailbox.server);
  return {
    mailbox,
    send: (subject: string, text: string) =>
      transport.sendMail({ from: 'dockline@shop.test', to: 'ops@shop.test', subject, text }),
    async read() {
      const { headers, body } = await request(mailbox.url);
      return { headers, page: await body.text() };
    },
  };
}

it('the mailbox shows mails, the newest first, and nothing of them is markup but links', async () => {
  const { send, read } = await open();
  expect((await read()).page).toContain('No mail has come yet.');
  await send('Overdue orders: 3', 'The list: https://board.test/board?due=overdue&sort=due');
  await send('All clear: <b>Größe</b>', `Größe <script>alert(1)</script>\n${'long '.repeat(30)}`);
  const { page } = await read();
  expect([...page.matchAll(/<h2>(.*)<\/h2>/g)].map(([, subject]) => subject)).toEqual([
    'All clear: &lt;b&gt;Größe&lt;/b&gt;',
    'Overdue orders: 3',
  ]);
  expect(page).toContain('Größe &lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).toContain('<a href="https://board.test/board?due=overdue&amp;sort=due">');
  expect(page).not.toContain('No mail has come yet.');
});

it('the page of the mailbox has the policy of the board, and a style that it allows', async () => {
  const { mailbox, read } = await open();
  const { headers, page } = await read();
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self'/);
  expect(page).not.toMatch(/<script(?! type="module" src="\/)|<style| style=/);
  const [, style = ''] = /rel="stylesheet" href="([^"]+)"/.exec(page) ?? [];
  expect((await request(new URL(style, mailbox.url))).statusCode).toBe(200);
});
