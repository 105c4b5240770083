import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { openOne } from './open-channel.ts';
import { openReceiver } from './receiver.ts';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

describe('a channel', () => {
  it('of Slack is told everything in a text, which Mattermost shows too, and in which nothing is a link or a mention but the board', async () => {
    const { url, received } = await openReceiver();
    const { send } = openOne('kind: slack', `url: ${url}`);
    expect(await send()).toBe('answered 200: ok');
    expect(received[0]?.body).toEqual({
      text: [
        '*Dockline has stopped sending to destination hub of warehouse 9104*',
        'Since 6:00 AM CST, 25 min.',
        '28 announcements wait (Cobalt 28).',
        'As far as known: it answered &lt;410&gt; &amp; *gone* @\u200ball.',
        'Nothing is sent to it; its announcements wait.',
        'Fix the receiver, then press Resume: what waits is sent in order.',
        '<https://board.test/board/destinations/9104/hub|Open on the board>',
        '',
        'All alerts: https://board.test/board/alerts',
      ].join('\n'),
    });
  });

  it('of Teams is told in an Adaptive Card, in which nothing is Markdown', async () => {
    const { url, received } = await openReceiver();
    await openOne('kind: teams', `url: ${url}`).send();
    const [{ contentType, content }] = received[0]?.body.attachments ?? [];
    expect(received[0]?.body.type).toBe('message');
    expect(contentType).toBe('application/vnd.microsoft.card.adaptive');
    expect(content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' });
    expect(content.body.map((it: { text?: string }) => it.text)).toEqual([
      'Dockline has stopped sending to destination hub of warehouse 9104',
      'Since 6:00 AM CST, 25 min.',
      '28 announcements wait (Cobalt 28).',
      'As far as known: it answered <410> & \\*gone\\* @all.',
      'Nothing is sent to it; its announcements wait.',
      'Fix the receiver, then press Resume: what waits is sent in order.',
      undefined,
    ]);
    expect(content.body.at(-1).actions).toEqual([
      { type: 'Action.OpenUrl', title: 'Open on the board', url: 'https://board.test/board/destinations/9104/hub' },
    ]);
  });

  it('that is a webhook is told in JSON that another implementation of Standard Webhooks verifies', async () => {
    const { url, received } = await openReceiver();
    await openOne('kind: webhook', `url: ${url}`, `secret: ${SECRET}`).send();
    const [{ headers, body } = { headers: {}, body: undefined }] = received;
    const verified = new Webhook(SECRET).verify(JSON.stringify(body), headers as Record<string, string>);
    expect(headers['webhook-id']).toBe('a-message');
    expect(verified).toMatchObject({
      type: 'dockline.alerts',
      id: 'a-message',
      alerts: [{ condition: 'destination-stopped', place: '9104/hub', since: '2026-02-11T12:00:00.000Z' }],
    });
  });

  it('says in its own words why it has not confirmed, and not its address', async () => {
    const { url, answer } = await openReceiver();
    Object.assign(answer, { status: 404, text: 'no_team' });
    const { test } = openOne('kind: slack', `url: ${url}`);
    await expect(test()).rejects.toThrow(`POST ${new URL(url).origin} answered 404: no_team`);
  });

  it('is not reached at an internal address that nobody allowed', async () => {
    const { test } = openOne('kind: slack', 'url: https://169.254.169.254/hook');
    await expect(test()).rejects.toThrow();
    const { test: local } = openOne('kind: slack', 'url: http://10.0.0.1/hook', 'allowHttp: yes');
    await expect(local()).rejects.toThrow();
  });
});
