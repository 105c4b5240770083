import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDestinations } from '../../../src/app/doctor/receivers.ts';
import { hasRabbit, type Rabbit, startRabbit } from '../../support/rabbitmq.ts';
import { startRecordingServer } from '../../warehouse/recording-server.ts';
import { openExamined } from './examining.ts';

describe('the check of a destination', () => {
  it('sends one signed announcement that says that it is a test', async () => {
    const { examine, receiver } = await openExamined();
    expect(await examine(checkDestinations)).toMatchObject([
      { area: 'destination default of 9104', name: receiver.url, verdict: 'ok', found: 'answered 204' },
    ]);
    expect(receiver.tests()).toBe(1);
    expect(receiver.received()).toEqual([]);
  });

  it.each([
    [401, 'failed', expect.stringContaining('ANNOUNCE_SECRET')],
    [302, 'failed', expect.stringContaining('Redirects are not followed')],
    [500, 'failed', null],
    [422, 'warning', 'Let the receiver answer 2xx to types that it does not know.'],
  ])('shows an answer with %i', async (status, verdict, advice) => {
    const { examine } = await openExamined();
    const { url } = await startRecordingServer(() => ({ status }));
    const [check] = await examine(checkDestinations, { ANNOUNCE_URL: url });
    expect(check).toMatchObject({ verdict, found: expect.stringMatching(`answered ${status}$`), advice });
  });

  it('says what to do about an internal address', async () => {
    const { examine } = await openExamined();
    const { url } = await startRecordingServer(() => ({}));
    const [check] = await examine(checkDestinations, {
      ANNOUNCE_URL: url.replace('http://127.0.0.1', 'https://0.0.0.0'),
    });
    expect(check).toMatchObject({ verdict: 'failed', advice: expect.stringContaining('ANNOUNCE_ALLOWED_ADDRESSES') });
  });

  it('says what to check where nothing listens', async () => {
    const { examine } = await openExamined();
    const [check] = await examine(checkDestinations, { ANNOUNCE_URL: 'http://127.0.0.1:1' });
    expect(check).toMatchObject({ verdict: 'failed', advice: expect.stringContaining('Check the address') });
  });
});

describe.skipIf(!hasRabbit)('the check of an exchange', () => {
  let rabbit: Rabbit;
  beforeAll(async () => {
    rabbit = await startRabbit();
    await rabbit.administer((channel) => channel.assertExchange('dockline', 'topic'));
  });
  afterAll(() => rabbit?.close());

  const tryOut = async (variables: Readonly<Record<string, string>> = {}) => {
    const { examine } = await openExamined();
    const [check] = await examine(checkDestinations, { ANNOUNCE_URL: rabbit.url, ...variables });
    expect(JSON.stringify(check)).not.toMatch(/hush/);
    return check;
  };

  it('publishes a message that says that it is a test', async () => {
    const messages = await rabbit.administer(async (channel) => {
      await channel.assertQueue('tests', { durable: false });
      await channel.bindQueue('tests', 'dockline', 'test');
      expect(await tryOut()).toMatchObject({
        verdict: 'ok',
        name: `amqp://127.0.0.1:${rabbit.port}`,
        found: 'answered 200',
      });
      const got = await channel.get('tests', { noAck: true });
      await channel.deleteQueue('tests');
      return got;
    });
    expect(messages).toMatchObject({ properties: { messageId: expect.stringMatching(/^test\//) } });
  });

  it.each<[what: string, verdict: string, found: RegExp, variables: () => Readonly<Record<string, string>>]>([
    ['a test that no queue gets', 'warning', /no queue is bound for test/, () => ({})],
    ['a missing exchange', 'failed', /there is no exchange missing/, () => ({ ANNOUNCE_EXCHANGE: 'missing' })],
    ['a virtual host', 'failed', /virtual host/, () => ({ ANNOUNCE_URL: `${rabbit.url}/elsewhere` })],
    ['a login', 'failed', /the login was refused/, () => ({ ANNOUNCE_URL: rabbit.url.replace('dockline', 'me') })],
    ['an address', 'failed', /ECONNREFUSED/, () => ({ ANNOUNCE_URL: 'amqp://127.0.0.1:1' })],
  ])('names %s', async (_, verdict, found, variables) => {
    expect(await tryOut(variables())).toMatchObject({ verdict, found: expect.stringMatching(found) });
  });
});
