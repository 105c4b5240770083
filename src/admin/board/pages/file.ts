import type { FastifyReply } from 'fastify';

/** Sends bytes as a file to keep, so that no browser interprets them. */
export const sendFile = (reply: FastifyReply, name: string, bytes: Uint8Array): FastifyReply =>
  reply
    .type('application/octet-stream')
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`)
    .send(Buffer.from(bytes));
