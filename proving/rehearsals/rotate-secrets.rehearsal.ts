import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { startReceiver } from '../../sandbox/receiver/receiver.ts';
import { everyWebhookRecord } from '../../sandbox/simulator/webhooks/record.ts';
import { describeOnPostgres } from '../../test/store/databases.ts';
import { command } from '../faults/fixture/database.ts';
import { openInstallation, openWithOrder } from './installation.ts';
import { openRunbook } from './runbook.ts';

const createToken = () => randomBytes(16).toString('hex');
const createKey = (name: string) => `${name}:${randomBytes(32).toString('base64')}`;

describeOnPostgres('an installation', (database) => {
  it('has every secret rotated while orders are under way, and loses and repeats nothing', async () => {
    await database.locate();
    const role = `dockline_${randomUUID().slice(0, 8)}`;
    await command(database.direct, `create role ${role} login superuser password 'old'`);
    onTestFinished(() => command(database.direct, `drop role ${role}`));
    const urlWith = (password: string) => {
      const url = new URL(database.url);
      url.username = role;
      url.password = password;
      return url.href;
    };
    const oldToken = createToken();
    const newToken = createToken();
    const oldKey = createKey('k1');
    const newKey = createKey('k2');
    const installation = await openInstallation({
      DATABASE_URL: urlWith('old'),
      ADMIN_TOKEN: createToken(),
      TEMPORAL_CODEC_KEYS: oldKey,
      WEBHOOK_VERIFY: 'token',
      WEBHOOK_TOKEN: oldToken,
    });
    const { simulator, webhookUrl } = installation;
    const sendWith = (token: string) => simulator.setWebhooks(everyWebhookRecord(`${webhookUrl}?token=${token}`));
    const restart = async (changes: Readonly<Record<string, string>>) => {
      await installation.configure(changes);
      await installation.stop();
      await installation.start();
    };
    sendWith(oldToken);
    await installation.start();
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');

    await restart({ WEBHOOK_TOKEN: `${newToken},${oldToken}`, TEMPORAL_CODEC_KEYS: `${oldKey},${newKey}` });
    await simulator.emit(orderId, 'OrderPickJobDone');
    sendWith(newToken);
    const { clientId, clientSecret, userLogin, tpl } = simulator.credentialOf('singleTenantDynamic');
    await command(database.direct, `alter role ${role} password 'new'`);
    await restart({
      WEBHOOK_TOKEN: newToken,
      TEMPORAL_CODEC_KEYS: `${newKey},${oldKey}`,
      DATABASE_URL: urlWith('new'),
      WAREHOUSE_CLIENT_ID: clientId,
      WAREHOUSE_CLIENT_SECRET: clientSecret,
      WAREHOUSE_TPL: tpl,
      WAREHOUSE_USER_LOGIN: userLogin,
      ADMIN_TOKEN: createToken(),
    });
    await simulator.emit(orderId, 'OrderConfirm');
    await installation.play();
    await installation.untilAnnounced();
    const runbook = openRunbook('docs/maintenance.md', 'Rotate secrets', installation);
    await runbook.step('doctor');
    expect(await runbook.step('status')).toMatch(/waiting: 0\b/);
    runbook.end();
  });

  it('rotates the secret of announcements, and the receiver refuses none before or after it changes its own', async () => {
    const installation = await openWithOrder();
    const { simulator, orderId, secret: old } = installation;
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    await installation.configure({ ANNOUNCE_SECRET: `${secret},${old}` });
    await installation.stop();
    await installation.start();
    await simulator.emit(orderId, 'OrderPickJobDone');
    await installation.untilAnnounced();
    expect(installation.receiver.refused()).toBe(0);

    const receiver = await startReceiver({ port: 0, secret });
    onTestFinished(() => receiver.close());
    await installation.configure({ ANNOUNCE_URL: receiver.url });
    await installation.stop();
    await installation.start();
    await simulator.emit(orderId, 'OrderConfirm');
    await expect.poll(() => receiver.received().length).toBe(1);
    expect(receiver.refused()).toBe(0);
  });
});
