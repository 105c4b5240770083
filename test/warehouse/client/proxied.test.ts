import { expect, it, onTestFinished } from 'vitest';
import { createTransport } from '../../../src/warehouse/client/transport.ts';
import { createWarehouse } from '../../../src/warehouse/warehouse.ts';
import { ELSEWHERE, type Manner, startHttpProxy } from '../../support/http-proxy.ts';
import { orderOf } from '../../support/make.ts';
import { answerAsAsked, issueTokens, never, standardOptions } from '../open-warehouse.ts';
import { startRecordingServer } from '../recording-server.ts';

const baseUrl = `http://${ELSEWHERE}/api`;

/** A warehouse that only a proxy leads to. */
async function open(manner?: Manner) {
  const token = issueTokens();
  const server = await startRecordingServer((request) =>
    request.target.endsWith('/AuthServer/api/Token') ? token() : answerAsAsked(request),
  );
  const proxy = await startHttpProxy(Number(new URL(server.url).port), manner);
  return { proxy, proxies: { HTTP_PROXY: proxy.url, NO_PROXY: [] } };
}

it('a warehouse gives tokens and records through a proxy', async () => {
  const { proxy, proxies } = await open();
  const access = { clientId: 'client', clientSecret: 'secret', userLogin: 'dockline', baseUrl, authUrl: baseUrl };
  const warehouse = createWarehouse({ ...standardOptions, ...access, proxies });
  onTestFinished(() => warehouse.close());
  await warehouse.getSubject(orderOf('7'), never);
  expect(proxy.asked).toEqual([`POST ${baseUrl}/AuthServer/api/Token`, `GET ${baseUrl}/orders/7`]);
});

it.each([
  [407, 'the proxy answered 407'],
  ['closes', 'UND_ERR_SOCKET'],
] as const)('a warehouse is unreachable if its proxy does so: %s', async (manner, reason) => {
  const { proxy, proxies } = await open(manner);
  const send = createTransport({ baseUrl, proxies, timeoutMs: 60_000 });
  await expect(send({ method: 'GET', path: '/orders/7', headers: {} })).rejects.toMatchObject({
    code: 'ERR_WAREHOUSE_UNREACHABLE',
    message: `GET /orders/7 through the proxy http://${new URL(proxy.url).host} failed: ${reason}`,
  });
});
