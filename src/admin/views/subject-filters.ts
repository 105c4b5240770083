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
    'only this reason for attention, as the overview of the board groups them',
    'failing: getOrder: 500',
  ).exactOptional(),
  takenBy: explained(text, 'only those taken by this person, or by nobody', 'ana').exactOptional(),
  open: z.enum(['true']).exactOptional().describe('only those that are not closed, canceled or deleted'),
  olderThan: moment.exactOptional().describe('only those that entered their stage before then; by default open orders'),
  createdSince: moment.exactOptional().describe('only those first seen since then'),
  confirmedSince: moment.exactOptional().describe('only those closed since then; by default orders'),
  due: z
    .enum(['overdue', 'atRisk', 'soon'])
    .exactOptional()
    .describe('only open ones that are overdue, at risk but not yet due, or due within 24 hours but not yet at risk'),
  sort: z
    .enum(sorts)
    .exactOptional()
    .describe(
      'by id, by time in their stage, by when they are due, or the last created first; default: as the filters suggest',
    ),
};

/** Filters as they were parsed. */
export type SubjectQuery = Partial<z.output<z.ZodObject<typeof subjectFilters>>>;
