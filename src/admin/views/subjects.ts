import { z } from 'zod';
import { parseSubjectKey, subjectKey, subjectKinds } from '../../domain/catalogue/subject.ts';
import { attentions } from '../../domain/lifecycle/attention.ts';
import { lastOrderStages, stages } from '../../domain/lifecycle/stage.ts';
import { Problem } from '../../http/problem.ts';
import { countMatching } from '../../store/bounded-count.ts';
import { meansOpen, type SubjectFilter } from '../../store/tables/subject-filter.ts';
import { moment, NO_PLACE, text } from '../queries.ts';
import { defineList } from './list.ts';
import { subjectRow, troubleRow } from './subject/row.ts';
import { subjectsPage } from './subjects-page.ts';
import {
  listSubjects,
  matchingSubjects,
  type Place,
  sorts,
  sortTimeOf,
  type WantedSubjects,
} from './subjects-query.ts';

/** Filters of the list of subjects. */
export const subjectFilters = {
  kind: z.enum(subjectKinds).exactOptional(),
  stage: z.enum(stages).exactOptional(),
  attention: z
    .enum(['any', ...attentions])
    .exactOptional()
    .describe('only subjects that need attention'),
  customer: text.exactOptional(),
  facility: text.exactOptional(),
  tenant: text.exactOptional(),
  id: text.exactOptional(),
  group: text.exactOptional().describe('only equal reasons for attention, as the first page of the board groups them'),
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
    .enum(['overdue', 'atRisk'])
    .exactOptional()
    .describe('only those that are open and overdue, or at risk and not yet due'),
  sort: z
    .enum(sorts)
    .exactOptional()
    .describe(
      'by tenant, kind and id, by the time in their stage, by when the open ones are due, or the last created first; default: as the filters suggest',
    ),
};

type Query = Partial<z.output<z.ZodObject<typeof subjectFilters>>>;

/** Completes a query with what people mean: an index has these subjects in this order. @throws Problem 400 if none has */
function wanted({ due, sort, ...given }: Query): WantedSubjects {
  const isByAge = (given.olderThan ?? given.confirmedSince) !== undefined;
  const filter: SubjectFilter = {
    ...given,
    ...(isByAge && (given.attention ?? given.group) === undefined && { kind: given.kind ?? 'order' }),
    ...(given.olderThan !== undefined && meansOpen(given) && { open: 'true' as const }),
  };
  const chosen = sort ?? usualSort({ ...given, due });
  if (due && chosen !== 'due') throw new Problem(400, 'due goes with sort=due');
  if ((chosen === 'oldest' || chosen === 'newest') && !hasTimeIndex(filter)) throw new Problem(400, `sort ${NO_INDEX}`);
  return { filter, sort: chosen, ...(due && { due }) };
}

/** Reports whether an index has the subjects that match a filter in the order of their time. */
const hasTimeIndex = ({ kind, stage, open, attention, group, confirmedSince }: SubjectFilter): boolean =>
  (attention ?? group) !== undefined || (kind !== undefined && (stage ?? open ?? confirmedSince) !== undefined);

const NO_INDEX = 'by time needs attention, group, or kind with stage or open';

/** Place of a subject: its key, after its time where they are sorted by one, such as `1770000000000.order:9104:31004581`. */
const place = z.string().transform((value, context): Place => {
  const [, time, key = ''] = /^(?:(\d{1,15})\.)?([^\0]+)$/s.exec(value) ?? [];
  const subject = parseSubjectKey(key);
  if (subject) return { ...subject, at: time === undefined ? undefined : new Date(Number(time)) };
  context.addIssue({ code: 'custom', message: NO_PLACE });
  return z.NEVER;
});

/** Subjects. */
export const subjectList = defineList({
  path: '/subjects',
  summary: 'Lists subjects',
  names: { row: 'ListedSubject', page: 'SubjectPage' },
  parts: { Trouble: troubleRow },
  filters: subjectFilters,
  place,
  row: subjectRow,
  read(sources, { after, ...query }, limit) {
    const { filter, ...order } = wanted(query);
    return listSubjects(sources, filter, { ...order, limit, ...(after && { after }) });
  },
  count: ({ reads }, { after: _, ...query }: Query & { readonly after?: unknown }) =>
    countMatching(reads, matchingSubjects(reads, wanted(query))),
  placeOf(row, query) {
    const at = sortTimeOf(row, wanted(query).sort ?? 'id');
    return `${at === null ? '' : `${at.getTime()}.`}${subjectKey(row)}`;
  },

  pages: {
    /** Orders, unless another kind, or everything that needs attention, is asked for; in the order that an index has. */
    '/subjects': ({ customer, tenant, due, olderThan, ...meant }) => ({
      ...((meant.attention ?? meant.group) === undefined && { kind: 'order' }),
      ...(meansOpen(meant) && { open: 'true' }),
      ...((meant.createdSince ?? meant.confirmedSince ?? olderThan ?? due) === undefined && {
        sort:
          (customer ?? tenant) !== undefined
            ? 'id'
            : lastOrderStages.some((it) => it === meant.stage)
              ? 'newest'
              : 'oldest',
      }),
    }),
  },

  html: subjectsPage,
});
