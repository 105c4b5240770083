import { type Resource, relation, toPascalCase } from './resource.ts';

const PACKAGE = relation('orders/package');

/**
 * Returns an order or a receipt in one of the forms in which a real warehouse has been seen to write them, which its id decides: packages and
 * their contents in `readOnly`, embedded, or in both places; sections without anything; and names in PascalCase whatever was asked for.
 */
export function inSomeForm(resource: Resource, id: number): Resource {
  const form = id % 3 === 1 ? withEmptySections(packed(resource, id)) : packed(resource, id);
  return id % 5 === 2 ? (toPascalCase(form) as Resource) : form;
}

function packed(resource: Resource, id: number): Resource {
  const { [PACKAGE]: embedded, ...lists } = (resource._embedded ?? {}) as Resource;
  const { packages: own, ...facts } = (resource.readOnly ?? {}) as Resource;
  const packages = (own ?? embedded) as readonly Resource[] | undefined;
  if (!packages) return resource;
  const whole = id % 2 === 0 ? packages.map(withEmbeddedContents) : packages;
  const bare = packages.map(({ packageContents: _, ...one }) => one);
  const places = [
    { inside: whole },
    { beside: whole },
    { inside: bare, beside: whole },
    { inside: whole, beside: bare },
  ] as const;
  const { inside, beside }: { readonly inside?: unknown; readonly beside?: unknown } = places[(id >> 1) % 4] ?? {};
  const all = { ...(beside !== undefined && { [PACKAGE]: beside }), ...lists };
  return {
    ...resource,
    readOnly: { ...facts, ...(inside !== undefined && { packages: inside }) },
    ...(Object.keys(all).length > 0 && { _embedded: all }),
  };
}

const withEmbeddedContents = ({ packageContents, ...one }: Resource): Resource =>
  packageContents === undefined ? one : { ...one, _embedded: { [relation('orders/packagecontent')]: packageContents } };

const withEmptySections = (resource: Resource): Resource => ({
  parcelOption: null,
  savedElements: [],
  billing: { billingCharges: [] },
  ...resource,
  readOnly: { outboundSerialNumbers: [], packages: [], ...(resource.readOnly as Resource) },
});
