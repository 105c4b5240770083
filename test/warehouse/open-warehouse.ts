import { onTestFinished } from 'vitest';
import { standardPaths } from '../../src/domain/catalogue/operation.ts';
import { standardProperties } from '../../src/domain/catalogue/properties.ts';
import { createWarehouse, type WarehouseOptions } from '../../src/warehouse/warehouse.ts';
import { orderOf } from '../support/make.ts';
import { type Recorded, type Reply, startRecordingServer } from './recording-server.ts';

/** A signal that never aborts. */
export const never = new AbortController().signal;

/** Options of a client beside its access: the standard paths and properties, no optional sections, and no limit that a test reaches. */
export const standardOptions = {
  paths: standardPaths,
  properties: standardProperties,
  orderDetail: [],
  itemDetail: [],
  receiptDetail: [],
  callsPerSecond: 10_000,
  timeoutMs: 60_000,
} as const;

/** The answer of a token server: `token-1`, `token-2`, … */
export function issueTokens(expiresIn: unknown = 3600): () => Reply {
  let issued = 0;
  return () => {
    issued += 1;
    return { body: { access_token: `token-${issued}`, token_type: 'Bearer', expires_in: expiresIn } };
  };
}

/** Names of ids by the paths of records. */
const names = [
  [/\/orders\/[^/]+$/, 'orderId'],
  [/\/receivers\/[^/]+$/, 'receiverId'],
  [/\/orders\/[^/]+\/items\/[^/]+$/, 'orderItemId'],
] as const;

/** The plainest answer that proves itself: a record with the last id of its path. */
export function answerAsAsked({ target }: Pick<Recorded, 'target'>): Reply {
  const path = target.replace(/\?.*/, '');
  const [id = ''] = path.match(/[^/]+(?=\/picklist$|$)/) ?? [];
  const [, name = 'id'] = names.find(([pattern]) => pattern.test(path)) ?? [];
  return { body: { readOnly: { [name]: decodeURIComponent(id) } } };
}

/** A client and the recording server that plays both its token server and its API. Both close with the test. */
export async function openWarehouse(
  answers: { token?: () => Reply | Promise<Reply>; api?: (request: Recorded) => Reply | Promise<Reply> } = {},
  options: Partial<WarehouseOptions> = {},
) {
  const token = answers.token ?? issueTokens();
  const api = answers.api ?? answerAsAsked;
  const server = await startRecordingServer((request) =>
    request.target.endsWith('/AuthServer/api/Token') ? token() : api(request),
  );
  const warehouse = createWarehouse({
    baseUrl: server.url,
    authUrl: server.url,
    clientId: 'client',
    clientSecret: 'secret',
    userLogin: 'dockline',
    ...standardOptions,
    ...options,
  });
  onTestFinished(() => warehouse.close());
  const sent = (method: string) => server.requests.filter((request) => request.method === method);
  const getOrder = (id: string, signal: AbortSignal) => warehouse.getSubject(orderOf(id), signal);
  return {
    warehouse: { ...warehouse, getOrder },
    url: server.url,
    tokenRequests: () => sent('POST'),
    gets: () => sent('GET'),
  };
}
