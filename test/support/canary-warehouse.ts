import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './listen.ts';

/** Starts an HTTP server that closes when the test ends; returns its address. */
export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void,
): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer((request, response) => void answer(request, response)))}`;
}

/** Values that must appear nowhere but in their place. */
export interface Canaries {
  readonly token: string;
  /** Personal data. */
  readonly person: Readonly<Record<'name' | 'street' | 'note', string>>;
}

/** Orders by the warehouse's answer, each of which reveals too much. */
export const orders = { good: 7001, forbidden: 7002, failed: 7003, broken: 7004, strange: 7005, absent: 7006 } as const;

/** Starts a warehouse whose every answer, refusals above all, contains canaries: personal data and the token of the request. */
export function serveCanaries({ token, person }: Canaries): Promise<string> {
  const answers: { readonly [id: string]: readonly [status: number, body: (echo: string) => unknown] } = {
    [orders.good]: [200, () => orderOf(orders.good, person)],
    [orders.forbidden]: [403, (echo) => ({ ErrorCode: 'Forbidden', Hint: `${person.name} may not ${echo}` })],
    [orders.failed]: [500, (echo) => `Unhandled exception for ${person.name}, ${person.street}: ${echo}`],
    [orders.broken]: [200, (echo) => `${person.name} ${echo} {"readOnly":`],
    [orders.strange]: [200, (echo) => [person, echo]],
    [orders.absent]: [404, (echo) => ({ ErrorCode: 'NotFound', Hint: `${person.name} ${echo}` })],
  };
  return serve(({ url = '', headers: { authorization = '' } }, response) => {
    const id = /^\/orders\/(\d+)/.exec(url)?.[1] ?? '';
    const [status, body] = url.startsWith('/AuthServer')
      ? ([200, () => ({ access_token: token, expires_in: 1800 })] as const)
      : (answers[id] ?? ([500, (echo: string) => echo] as const));
    const said = body(authorization);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof said === 'string' ? said : JSON.stringify(said));
  });
}

function orderOf(orderId: number, { name, street, note }: Canaries['person']) {
  const contact = { name, address1: street };
  return {
    referenceNum: `PO-${orderId}`,
    notes: note,
    shipTo: contact,
    soldTo: contact,
    billTo: contact,
    savedElements: [{ name: 'Gift', value: note }],
    readOnly: { orderId, status: 0, isClosed: false, customerIdentifier: { id: 418, name: 'Alder' } },
  };
}
