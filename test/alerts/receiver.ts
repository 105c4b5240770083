import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '../support/listen.ts';

/** Message as a channel sends it, with its headers. */
export interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it with what they expect
  readonly body: any;
}

/** Opens an address that keeps what it is sent until the test ends, and answers with a status and a text that can change. */
export async function openReceiver() {
  const received: Received[] = [];
  const answer = { status: 200, text: 'ok' };
  const server = createServer(async (request, response) => {
    const message = { headers: request.headers, body: await json(request) };
    if (answer.status === 200) received.push(message);
    response.writeHead(answer.status).end(answer.text);
  });
  const url = `http://127.0.0.1:${await listen(server)}/secret-path`;
  return { url, received, answer };
}
