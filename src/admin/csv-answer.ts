import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Csv } from './views/csv.ts';

/** Media type of comma-separated values. */
export const CSV_TYPE = 'text/csv';

/** Reports whether a request asks for comma-separated values before anything else. */
export const wantsCsv = ({ headers }: FastifyRequest): boolean => headers.accept?.trim().startsWith(CSV_TYPE) ?? false;

/** Sends a file of comma-separated values while it is being written. */
export const sendCsv = (reply: FastifyReply, { name, csv }: Csv): FastifyReply =>
  reply
    .type(`${CSV_TYPE}; charset=utf-8; header=present`)
    .headers({ 'cache-control': 'no-store', vary: 'accept' })
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(csv);
