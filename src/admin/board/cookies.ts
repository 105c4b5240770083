import type { FastifyReply, FastifyRequest } from 'fastify';

/** A browser may send several. */
export const cookiesOf = ({ headers }: FastifyRequest, name: string): readonly string[] =>
  (headers.cookie ?? '').split(/; */).flatMap((it) => (it.startsWith(`${name}=`) ? it.slice(name.length + 1) : []));

/** A time of zero seconds removes it. No script can read it, and no other site's request carries it. */
export const keepCookie = (
  reply: FastifyReply,
  name: string,
  value: string,
  seconds: number,
  more = '',
): FastifyReply =>
  reply.header('set-cookie', `${name}=${value}; Path=/board; Max-Age=${seconds}; HttpOnly; SameSite=Strict${more}`);
