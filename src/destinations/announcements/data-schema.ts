import { z } from 'zod';
import { type AnnouncementType, announcementTypes } from '../../domain/catalogue/announced.ts';
import { type SubjectKind, subjectKinds } from '../../domain/catalogue/subject.ts';
import { kindsWithDeadlines } from '../../domain/deadlines/rule.ts';
import { type JsonSchema, standaloneSchema } from '../../http/json-schema.ts';
import { announcementData } from './announcement-data.ts';

/**
 * Version of the contract. It rises with a change that a receiver of the version before could not take: a member that is renamed, removed or
 * of another form. Members and values that are added leave it as it is.
 */
export const CONTRACT_VERSION = 2;

/** Returns the URI that names the schema of an announcement's `data`: `urn:dockline:order.packed:2`. */
export const dataSchemaUri = (type: AnnouncementType): string =>
  `urn:dockline:${type.replace('dockline.', '')}:${CONTRACT_VERSION}`;

/** Describes the `data` of announcements of a type as a JSON Schema whose `$id` is their `dataschema`; undefined for an unknown type. */
export function describeData(type: string): JsonSchema | undefined {
  const known = announcementTypes.get(type as AnnouncementType);
  if (!known) return undefined;
  const { kind, milestone, words } = known;
  const data = dataOf(kind)
    .extend({ kind: z.literal(kind), milestone: z.literal(milestone) })
    .describe(words);
  return { ...standaloneSchema(data), $id: dataSchemaUri(type as AnnouncementType), title: type };
}

/** Members that only announcements of some kinds have. */
const membersOfSome: { readonly [M in keyof typeof announcementData.shape]?: readonly SubjectKind[] } = {
  ...Object.fromEntries(subjectKinds.map((kind) => [kind, [kind]])),
  orderItem: ['order'],
  orderItemId: ['order'],
  picked: ['order'],
  packed: ['order'],
  progress: ['order'],
  deadline: kindsWithDeadlines,
  pickList: ['order'],
  before: ['stock', 'hold'],
  after: ['stock', 'hold'],
  coalesced: ['stock'],
  snapshot: subjectKinds.filter((kind) => kind !== 'stock' && kind !== 'hold'),
};

/** Leaves the members that announcements of a kind can have. */
function dataOf(kind: SubjectKind): z.ZodObject {
  const foreign = Object.entries(membersOfSome).filter(([, kinds]) => !kinds.includes(kind));
  const mask = Object.fromEntries(foreign.map(([name]) => [name, true]));
  return announcementData.omit(mask as { [M in keyof typeof announcementData.shape]?: true });
}
