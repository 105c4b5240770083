import { z } from 'zod';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import { attentions } from '../../domain/lifecycle/attention.ts';
import { stages } from '../../domain/lifecycle/stage.ts';
import { explained, moment, names, text } from '../queries.ts';
import { sorts } from './subjects-query.ts';

/** Filters of the list of subjects. */
export const subjectFilters = {
  kind: z.enum(subjectKinds).exactOptional().describe('only this kind of subject'),
  stage: z.enum(stages).exactOptional().describe('only this stage'),
  attention: z
    .enum(['any', ...attentions])
    .exactOptional()
    .describe('only subjects that need attention, for any reason or for this one'),
  customer: names.customer.exactOptional(),
  facility: names.facility.exactOptional(),
  carrier: names.carrier.exactOptional(),
  tenant: names.tenant.exactOptional(),
  id: explained(text, 'only this id', '31004581').exactOptional(),
  group: explained(
    text,
    'only equal reasons for attention, as the first page of the board groups them',
    'failing: getOrder: 500',
  ).exactOptional(),
  takenBy: explained(text, 'only those that somebody of this name has taken, or nobody', 'ana').exactOptional(),
  open: z.enum(['true']).exactOptional().describe('only those that are not closed, canceled or deleted'),
  olderThan: moment
    .exactOptional()
    .describe(
      'only those that have been in their stage since before then; without a stage the open ones, without a kind orders',
    ),
  createdSince: moment.exactOptional().describe('only those that Dockline has known since then'),
  confirmedSince: moment
    .exactOptional()
    .describe('only those that were closed since then, and still are; without a kind orders'),
  due: z
    .enum(['overdue', 'atRisk', 'soon'])
    .exactOptional()
    .describe(
      'only those that are open and overdue, at risk and not yet due, or due within 24 hours and not yet at risk',
    ),
  sort: z
    .enum(sorts)
    .exactOptional()
    .describe(
      'by tenant, kind and id, by the time in their stage, by when the open ones are due, or the last created first; default: as the filters suggest',
    ),
};

/** Filters as they were parsed. */
export type SubjectQuery = Partial<z.output<z.ZodObject<typeof subjectFilters>>>;
