import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../support/listen.ts';

/** A request as it came over the wire. */
export interface Recorded {
  readonly method: string;
  /** Path and query, as written. */
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Answer to give; `hang` gives none, `reset` breaks the connection off, `cut` does so in the middle of a 200's body. */
export type Reply =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | object;
    }
  | 'hang'
  | 'reset'
  | 'cut';

/** A server that records what is asked of it and answers what it is told to. It closes with the test. */
export async function startRecordingServer(answer: (request: Recorded) => Reply | Promise<Reply>) {
  const requests: Recorded[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const recorded = { method, target: url, headers, body: await text(request) };
    requests.push(recorded);
    play(await answer(recorded), response);
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  return { requests, connections: () => connections, url: `http://127.0.0.1:${await listen(server)}` };
}

function play(reply: Reply, response: ServerResponse): void {
  if (reply === 'hang') return;
  if (reply === 'reset') {
    response.destroy();
    return;
  }
  if (reply === 'cut') {
    response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy());
    return;
  }
  const { status = 200, headers = {}, body = '' } = reply;
  response
    .writeHead(status, headers)
    .end(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body));
}
