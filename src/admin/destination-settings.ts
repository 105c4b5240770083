import { z } from 'zod';
import { subjectKinds } from '../domain/catalogue/subject.ts';
import { details } from '../domain/detail.ts';
import { listOf } from './views/view.ts';

/** Consent to plain text beyond loopback. */
const consent = z
  .enum(['yes', 'no'])
  .exactOptional()
  .describe('Accepts plain text beyond this machine. Default: `no`.');

/** Settings that may be given; whether they fit is decided where those of the configuration are. */
const settings = {
  kind: z
    .enum(['http', 'amqp', 'temporal'])
    .exactOptional()
    .describe(
      'POSTs, an exchange of RabbitMQ, or workflows of your own. Default: `http`. Each takes only what belongs to it.',
    ),
  url: z
    .string()
    .describe('`https://`, `amqps://` or `temporals://` address; may have a user and a password, but for `temporal`.'),
  secret: z
    .union([z.string(), listOf(z.string())])
    .exactOptional()
    .describe(
      'Secrets that sign, `whsec_…`, each with a signature. Default for `http`: a new one, which the answer shows once.',
    ),
  kinds: listOf(z.enum(subjectKinds)).exactOptional().describe('Kinds of subjects that it gets. Default: all.'),
  types: listOf(z.string())
    .exactOptional()
    .describe('Types that it gets, without `dockline.`; `*` stands for any text. Default: all.'),
  customers: listOf(z.string()).exactOptional().describe('Ids of the customers whose records it gets. Default: all.'),
  mode: z
    .string()
    .exactOptional()
    .describe('`structured`: the body is the whole CloudEvent; `binary`: its data, with attributes in headers.'),
  detail: z
    .enum(details)
    .exactOptional()
    .describe(
      'Without its largest records above `maxBytes`, or without any. Default: `full`, and `thin` for `temporal`.',
    ),
  maxBytes: z.int().positive().exactOptional().describe('Limit of `bounded`.'),
  recordsToken: z
    .union([z.string(), listOf(z.string())])
    .exactOptional()
    .describe(
      'Tokens that fetch records which were left out. Default: a new one, which the answer shows once; none for `full`.',
    ),
  headers: z.record(z.string(), z.string()).exactOptional().describe('Further headers of each POST, by name.'),
  bearer: z.string().exactOptional().describe('Token, or the API key of `temporal`.'),
  allowHttp: consent,
  exchange: z.string().exactOptional().describe('Exchange of RabbitMQ; the type is the routing key.'),
  allowAmqp: consent,
  workflowType: z.string().exactOptional().describe('Type of the workflow that is started.'),
  taskQueue: z.string().exactOptional().describe('Task queue of its workers.'),
  workflowId: z.string().exactOptional().describe('Template of the workflow id. Default: `{kind}-{tenant}-{id}`.'),
  signal: z.string().exactOptional().describe('Template of the name of the signal. Default: `dockline`.'),
  whenClosed: z
    .enum(['start', 'skip', 'refuse'])
    .exactOptional()
    .describe('What becomes of an announcement whose workflow has ended. Default: `start` another run.'),
  allowTemporal: consent,
};

/** Body with the settings of a destination. */
export const settingsBody = z.strictObject(settings);
