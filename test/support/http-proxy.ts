import { createServer, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { listen } from './listen.ts';

/** Treatment of a request: the proxy leads it to the server, answers it, or breaks its connection off. */
export type Manner = 'leads' | 'closes' | 407 | 502;

/** Starts an HTTP proxy that leads every request to one port of loopback, whatever host it names. It closes with the test. */
export async function startHttpProxy(port: number, manner: Manner = 'leads') {
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const note = ({ method, url, headers }: IncomingMessage) => {
    asked.push(`${method} ${url}`);
    authorizations.push(headers['proxy-authorization']);
  };
  const server = createServer((incoming, answer) => {
    note(incoming);
    if (manner === 'closes') return incoming.socket.destroy();
    if (manner !== 'leads') return answer.writeHead(manner).end();
    const { pathname, search } = new URL(incoming.url ?? '');
    const { method, headers } = incoming;
    const onward = request({ port, host: '127.0.0.1', method, headers, path: pathname + search }, (reply) => {
      answer.writeHead(reply.statusCode ?? 0, reply.headers);
      reply.pipe(answer);
    });
    return incoming.pipe(onward);
  });
  server.on('connect', (incoming, near, head) => {
    note(incoming);
    near.on('error', () => {});
    if (manner === 'closes') return near.destroy();
    if (manner !== 'leads') return near.end(`HTTP/1.1 ${manner} No\r\n\r\n`);
    const far = connect(port, '127.0.0.1', () => near.write('HTTP/1.1 200 OK\r\n\r\n'));
    far.on('error', () => near.destroy());
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
    far.write(head);
    return near.pipe(far).pipe(near);
  });
  return { asked, authorizations, url: `http://me:p%40ss@127.0.0.1:${await listen(server)}` };
}

/** Public address of nobody (RFC 5737), which only a proxy leads anywhere. */
export const ELSEWHERE = '192.0.2.7';
