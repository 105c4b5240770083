import { z } from 'zod';

/** Answers of the administrative API, and their parts that have a name in its OpenAPI document. */
export const answers = {
  JsonSchema: z.looseObject({ $id: z.string().describe('The `dataschema` of these announcements.') }),
  OpenApiDocument: z.looseObject({ openapi: z.string() }),
  Problem: z
    .object({ type: z.string(), title: z.string(), status: z.int(), detail: z.string() })
    .describe('Problem of RFC 9457.'),
  Record: z.unknown().describe('Record of the warehouse, as it was embedded in the announcement.'),
} as const;

type AnswerName = keyof typeof answers;

/** Answer as a route returns it. */
export type Answer<N extends AnswerName> = z.infer<(typeof answers)[N]>;
