import { z } from 'zod';
import { bulkNames } from './bulk/filters.ts';
import { bulkStates } from './bulk/ports.ts';
import { pageForm } from './views/list.ts';
import { count, listOf } from './views/view.ts';

const time = z.iso.datetime();

const bulk = z.object({
  id: count,
  action: z.enum(bulkNames),
  filter: z.record(z.string(), z.string()),
  state: z.enum(bulkStates),
  createdAt: time.describe('When its items were chosen: nothing that came later is among them.'),
  createdBy: z.string(),
  expiresAt: time.describe('When its preview can no longer be confirmed.'),
  total: count,
  sample: listOf(z.string()).describe(
    'Its first items: keys of subjects, ids of announcements, or numbers of deliveries.',
  ),
  done: count,
  failed: count,
  trouble: z.string().nullable().describe('Reason why it does not go on now; it does by itself.'),
  confirmedAt: time.nullable(),
  finishedAt: time.nullable(),
});

/** Answers of the administrative API, and their parts that have a name in its OpenAPI document. */
export const answers = {
  Bulk: bulk,
  BulkPage: pageForm(bulk),
  ShownBulk: bulk.extend({
    failures: listOf(z.object({ target: z.string(), error: z.string() })).describe('The first of those that failed.'),
  }),
  JsonSchema: z.looseObject({ $id: z.string().describe('The `dataschema` of these announcements.') }),
  OpenApiDocument: z.looseObject({ openapi: z.string() }),
  Problem: z
    .object({ type: z.string(), title: z.string(), status: z.int(), detail: z.string() })
    .describe('Problem of RFC 9457.'),
} as const;

/** Name of an answer. */
export type AnswerName = keyof typeof answers;

/** Answer as a route returns it. */
export type Answer<N extends AnswerName> = z.infer<(typeof answers)[N]>;
