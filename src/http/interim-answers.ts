import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** Whole interim answers (1xx), except 101, after which no HTTP follows. */
const INTERIM = /^(?:HTTP\/1\.\d 1(?!01)\d\d.*?\r\n\r\n)+/s;

/** Such an answer may begin here. */
const BEGUN = /^HTTP\/1\.\d 1(?!01)\d\d/;
const STATUS = 'HTTP/1.1 100';

/** Longest head of an interim answer: that of undici. */
const HEAD_LIMIT = 16_384;

/**
 * Leaves interim answers out, as a client has to (RFC 9110, section 15.2): undici skips them except 100, at which it ends the connection. A
 * connection must not pipeline requests.
 */
export function skipInterimAnswers(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...connected) => {
      const [, socket] = connected;
      if (socket && !('alpnProtocol' in socket && socket.alpnProtocol === 'h2')) leaveInterimOut(socket);
      callback(...connected);
    });
}

/** An answer begins with the first bytes after the request was written, which undici does at once. */
function leaveInterimOut(socket: Socket): void {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  let isDue = false;
  let kept: Buffer = Buffer.alloc(0);

  socket.write = (...given: unknown[]) => {
    isDue = true;
    return write(...given);
  };
  socket.read = (size?: number) => {
    for (;;) {
      const chunk: Buffer | null = read(size);
      if (chunk === null || !isDue) return chunk;
      kept = withoutInterim(Buffer.concat([kept, chunk]));
      if (kept.length === 0 || isUndecided(kept)) continue;
      const answer = kept;
      isDue = false;
      kept = Buffer.alloc(0);
      return answer;
    }
  };
}

function withoutInterim(bytes: Buffer): Buffer {
  let rest = bytes;
  for (;;) {
    const [skipped] = INTERIM.exec(rest.toString('latin1', 0, HEAD_LIMIT)) ?? [];
    if (!skipped) return rest;
    rest = rest.subarray(skipped.length);
  }
}

function isUndecided(bytes: Buffer): boolean {
  const begun = bytes.toString('latin1', 0, STATUS.length);
  if (begun.length < STATUS.length) return STATUS.startsWith(begun.slice(0, 'HTTP/1.'.length));
  return BEGUN.test(begun) && bytes.length < HEAD_LIMIT;
}
