import { catalogue, type Family, families, normalizeName } from '../../../src/domain/catalogue/catalogue.ts';
import type { Selection } from '../kinds/kind.ts';
import { families as rows } from '../kinds/kinds.ts';
import type { Sections } from '../resources/sections.ts';

type Rows = typeof rows;

/** Event type of a webhook record. */
type EventType = Rows[keyof Rows]['type'];

/** Resource that webhook records of some event type can include. */
type WebhookResource = { readonly [F in keyof Rows]: keyof Rows[F]['resources'] }[keyof Rows];

export const eventTypeNames = families.map((family) => rows[family].type) as [EventType, ...EventType[]];

const familyOf = (type: EventType) => families.find((family) => rows[family].type === type) as Family;

/** All resources of all event types. */
export const webhookResources = [
  ...new Set(Object.values(rows).flatMap(({ resources }) => Object.keys(resources))),
] as [WebhookResource, ...WebhookResource[]];

/** Returns the names of the events of a type. */
export function eventsOf(type: EventType): string[] {
  return catalogue.filter(({ subject }) => subject === familyOf(type)).map(({ name }) => name);
}

/** Returns the name of the event of a type that has that label or name. */
export function findEvent(type: EventType, labelOrName: string): string | undefined {
  const wanted = normalizeName(labelOrName);
  return catalogue.find(
    ({ subject, label, name }) =>
      subject === familyOf(type) && [label, name].some((known) => normalizeName(known) === wanted),
  )?.name;
}

const resourcesOf = (type: EventType): Readonly<Record<string, Selection>> => rows[familyOf(type)].resources;

/** Reports whether a record of that type can include the resource. */
export const canInclude = (type: EventType, name: WebhookResource): boolean => name in resourcesOf(type);

/** Returns the sections that the resources of a record select. */
export function selectedSections(type: EventType, names: readonly WebhookResource[]): Sections {
  const selections = names.map((name) => resourcesOf(type)[name] ?? {});
  return {
    detail: new Set(selections.flatMap(({ detail }) => detail ?? [])),
    itemDetail: new Set(selections.flatMap(({ itemDetail }) => itemDetail ?? [])),
  };
}
