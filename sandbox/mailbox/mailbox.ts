import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import fastify from 'fastify';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { serveAssets } from '../../src/admin/board/assets.ts';
import { sourceOf } from '../../src/admin/board/html.ts';
import { protect } from '../../src/admin/board/responder.ts';
import { type Mail, mailboxPage } from './page.ts';

/** Running mailbox. */
export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

/** Number of mails that are kept. */
const KEPT = 100;

const HOST = '127.0.0.1';

/** Starts a mail server on loopback, and a page on the given port that shows the mails that came; 0 for any free port. */
export async function startMailbox({ port }: { readonly port: number }) {
  const mails: Mail[] = [];
  const page = await servePage(port, mails);
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData(stream, _session, callback) {
      receive(stream, mails).then(() => callback(null, 'Accepted'), callback);
    },
  });
  smtp.listen(0, HOST);
  await once(smtp.server, 'listening');
  return {
    /** Address of the page. */
    url: page.url,
    /** Address of the mail server. */
    server: `smtp://${HOST}:${(smtp.server.address() as AddressInfo).port}`,
    async close() {
      await promisify<void>((done) => smtp.close(() => done(null)))();
      await page.close();
    },
  };
}

async function receive(stream: NodeJS.ReadableStream, mails: Mail[]): Promise<void> {
  const { subject = '', text = '' } = await PostalMime.parse(await buffer(stream));
  mails.unshift({ subject, text, receivedAt: Date.now() });
  mails.splice(KEPT);
}

async function servePage(port: number, mails: readonly Mail[]) {
  const app = fastify({ forceCloseConnections: true });
  app.addHook('onRequest', async (_request, reply) => protect(reply));
  await app.register(
    async (board) => {
      const assets = serveAssets(board);
      app.get('/mailbox', (_request, reply) =>
        reply
          .type('text/html; charset=utf-8')
          .header('cache-control', 'no-store')
          .send(sourceOf(mailboxPage(mails, assets))),
      );
    },
    { prefix: '/board' },
  );
  const origin = await app.listen({ port, host: HOST });
  return { url: `${origin}/mailbox`, close: () => app.close() };
}
