import type { Resource } from '../resources/resource.ts';

/** What a resource has under a dotted path such as `ReadOnly.lastModifiedDate`, in any case; undefined where it has nothing. */
export function fieldOf(resource: Resource, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.entries(value).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
  }, resource);
}
