import { z } from 'zod';
import { subjectKinds } from '../domain/catalogue/subject.ts';
import { details } from '../domain/detail.ts';
import { listOf } from './views/view.ts';

/** Settings that may be given; whether they fit is decided where those of the configuration are. */
const settings = {
  url: z.string().describe('https address; may have a user and a password for HTTP Basic.'),
  secret: z
    .union([z.string(), listOf(z.string())])
    .exactOptional()
    .describe('Secrets that sign, `whsec_…`, each with a signature. Default: a new one, which the answer shows once.'),
  kinds: listOf(z.enum(subjectKinds)).exactOptional(),
  types: listOf(z.string()).exactOptional().describe('Without `dockline.`; `*` stands for any text.'),
  customers: listOf(z.string()).exactOptional(),
  mode: z.string().exactOptional(),
  detail: z
    .enum(details)
    .exactOptional()
    .describe('Without its largest records above `maxBytes`, or without any. Default: `full`.'),
  maxBytes: z.int().positive().exactOptional().describe('Limit of `bounded`.'),
  recordsToken: z
    .union([z.string(), listOf(z.string())])
    .exactOptional()
    .describe(
      'Tokens that fetch records which were left out. Default: a new one, which the answer shows once; none for `full`.',
    ),
  headers: z.record(z.string(), z.string()).exactOptional(),
  bearer: z.string().exactOptional(),
  allowHttp: z.enum(['yes', 'no']).exactOptional(),
};

/** Body with the settings of a destination. */
export const settingsBody = z.strictObject(settings);
