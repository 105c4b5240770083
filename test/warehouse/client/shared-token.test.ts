import { expect, it } from 'vitest';
import { createSharedToken } from '../../../src/warehouse/client/token.ts';
import { describeOnBoth, openIn } from '../../store/databases.ts';
import { answerAsAsked, never, openWarehouse } from '../open-warehouse.ts';
import { type Reply, startRecordingServer } from '../recording-server.ts';

const credential = { authUrl: 'https://a.example', clientId: 'client', clientSecret: 'secret', userLogin: 'dockline' };

/** A warehouse that keeps one token for each credential: a new one revokes the last. */
async function startJealousWarehouse() {
  let issued = 0;
  const server = await startRecordingServer(({ method, target, headers }): Reply => {
    if (method === 'POST') {
      issued += 1;
      return { body: { access_token: `token-${issued}`, expires_in: 3600 } };
    }
    return headers.authorization === `Bearer token-${issued}` ? answerAsAsked({ target }) : { status: 401 };
  });
  return { url: server.url, issued: () => issued };
}

describeOnBoth('a token that processes share', (database) => {
  it('is obtained once, whatever one of them does next', async () => {
    const { tokens } = await openIn(database);
    const jealous = await startJealousWarehouse();
    const open = async () => {
      const options = { baseUrl: jealous.url, authUrl: jealous.url };
      return await openWarehouse({}, { ...options, shared: createSharedToken(tokens, credential) });
    };
    const processes = [await open(), await open(), await open()];
    for (const { warehouse } of [...processes, ...processes]) await warehouse.getOrder('1', never);
    expect(jealous.issued()).toBe(1);
  });

  it('is replaced for all by the one that finds it revoked', async () => {
    const { tokens } = await openIn(database);
    const jealous = await startJealousWarehouse();
    const options = { baseUrl: jealous.url, authUrl: jealous.url };
    const shared = () => createSharedToken(tokens, credential);
    const one = await openWarehouse({}, { ...options, shared: shared() });
    const other = await openWarehouse({}, { ...options, shared: shared() });
    await one.warehouse.getOrder('1', never);
    await other.warehouse.getOrder('1', never);
    const stranger = await openWarehouse({}, options);
    await stranger.warehouse.getOrder('1', never);
    await one.warehouse.getOrder('1', never);
    await other.warehouse.getOrder('1', never);
    expect(jealous.issued()).toBe(3);
  });

  it('is read only with the secret of its credential, and not beyond its time', async () => {
    let time = 1_000_000;
    const { tokens, db } = await openIn(database, { now: () => time });
    const shared = createSharedToken(tokens, credential);
    await shared.put({ value: 'very-private', forMs: 1000 });
    time += 400;
    expect(await shared.find()).toEqual({ value: 'very-private', forMs: 600 });
    expect(await createSharedToken(tokens, { ...credential, clientSecret: 'x' }).find()).toBeUndefined();
    expect(await createSharedToken(tokens, { ...credential, userLogin: 'x' }).find()).toBeUndefined();
    expect(await createSharedToken(tokens, { ...credential, tpl: 'x' }).find()).toBeUndefined();
    const rows = await db.selectFrom('tokens').selectAll().execute();
    expect(Buffer.concat(rows.map(({ sealed }) => Buffer.from(sealed))).toString('latin1')).not.toContain('private');
    time += 600;
    expect(await shared.find()).toBeUndefined();
  });
});

it('is done without while the store fails', async () => {
  const { warehouse, tokenRequests } = await openWarehouse(
    {},
    {
      shared: createSharedToken(
        { find: () => Promise.reject(new Error('down')), put: () => Promise.reject(new Error('down')) },
        credential,
      ),
    },
  );
  await warehouse.getOrder('1', never);
  expect(tokenRequests()).toHaveLength(1);
});
