import { z } from 'zod';
import { type AnnouncementType, announcementTypes } from '../domain/catalogue/announced.ts';
import { type JsonSchema, standaloneSchema } from '../http/json-schema.ts';
import { announcementData } from './announcement-data.ts';

/**
 * Version of the contract. It rises with a change that a receiver of the version before could not take: a member that is renamed, removed or
 * of another form. Members and values that are added leave it as it is.
 */
export const CONTRACT_VERSION = 1;

/** Returns the URI that names the schema of an announcement's `data`: `urn:dockline:order.packed:1`. */
export const dataSchemaUri = (type: AnnouncementType): string =>
  `urn:dockline:${type.replace('dockline.', '')}:${CONTRACT_VERSION}`;

/** Describes the `data` of announcements of a type as a JSON Schema whose `$id` is their `dataschema`; undefined for an unknown type. */
export function describeData(type: string): JsonSchema | undefined {
  const known = announcementTypes.get(type as AnnouncementType);
  if (!known) return undefined;
  const { kind, milestone, words } = known;
  const data = announcementData.extend({ kind: z.literal(kind), milestone: z.literal(milestone) }).describe(words);
  return { ...standaloneSchema(data), $id: dataSchemaUri(type as AnnouncementType), title: type };
}
