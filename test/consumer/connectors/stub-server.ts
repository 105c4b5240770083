import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../support/listen.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Asked extends Pick<IncomingMessage, 'method' | 'headers'> {
  readonly url: URL;
  readonly body: string;
}

/** Starts a server of JSON until the test ends; returns its address. */
export async function startStub(answer: (asked: Asked) => Answer): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method, headers } = request;
    const url = new URL(request.url ?? '/', 'http://stub');
    const { status, body } = answer({ method, headers, url, body: await text(request) });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return `http://127.0.0.1:${await listen(server)}`;
}
