import { z } from 'zod';
import { type AnnouncementType, announced, announcementTypes } from '../../domain/catalogue/announced.ts';
import { kindOf, type SubjectKind, subjectKinds } from '../../domain/catalogue/subject.ts';
import { kindsWithDeadlines } from '../../domain/deadlines/rule.ts';
import { adviceForm } from '../../domain/kinds/advice.ts';
import { coalesces, type Milestone } from '../../domain/lifecycle/milestone.ts';
import { type JsonSchema, standaloneSchema } from '../../http/json-schema.ts';
import { announcementData } from './announcement-data.ts';

/** Rises when a member is renamed, removed or of another form; not with additions. */
export const CONTRACT_VERSION = 2;

/** `urn:dockline:order.packed:2` */
export const dataSchemaUri = (type: AnnouncementType): string =>
  `urn:dockline:${type.replace('dockline.', '')}:${CONTRACT_VERSION}`;

/** `$id` is the type's `dataschema`; undefined for an unknown type. */
export function describeData(type: string): JsonSchema | undefined {
  const known = announcementTypes.get(type as AnnouncementType);
  if (!known) return undefined;
  const { kind, milestone, words } = known;
  const data = dataOf(kind)
    .extend({ kind: z.literal(kind), milestone: z.literal(milestone), advice: adviceForm(kind).optional() })
    .describe(words);
  return { ...standaloneSchema(data), $id: dataSchemaUri(type as AnnouncementType), title: type };
}

const withLines = subjectKinds.filter((kind) => kindOf(kind).hasLines);
const shown = subjectKinds.filter((kind) => kindOf(kind).isShown);

const membersOfSome: { readonly [M in keyof typeof announcementData.shape]?: readonly SubjectKind[] } = {
  ...Object.fromEntries(subjectKinds.map((kind) => [kind, [kind]])),
  orderItem: withLines,
  orderItemId: withLines,
  picked: withLines,
  packed: withLines,
  progress: withLines,
  deadline: kindsWithDeadlines,
  pickList: withLines,
  before: shown,
  after: shown,
  changed: subjectKinds.filter((kind) => kindOf(kind).namesChanges),
  coalesced: subjectKinds.filter((kind) => (Object.keys(announced[kind]) as Milestone[]).some(coalesces)),
  snapshot: subjectKinds.filter((kind) => !shown.includes(kind)),
};

function dataOf(kind: SubjectKind): z.ZodObject {
  const foreign = Object.entries(membersOfSome).filter(([, kinds]) => !kinds.includes(kind));
  const mask = Object.fromEntries(foreign.map(([name]) => [name, true]));
  return announcementData.omit(mask as { [M in keyof typeof announcementData.shape]?: true });
}
