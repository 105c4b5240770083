import type { DestinationRef } from '../routing.ts';

/** Place of an incident of a destination. */
export const placeOfDestination = ({ tenant, name }: DestinationRef): string => `${tenant}/${name}`;

/** Place of an incident of an announcement, known by its id, and a destination. */
export const placeAt = (announcement: string, destination: string): string => `${announcement}@${destination}`;

/** Returns the place that is meant once a destination is renamed; undefined for that of another. */
export function renamedPlace(place: string, { tenant, name }: DestinationRef, to: string): string | undefined {
  if (place === placeOfDestination({ tenant, name })) return placeOfDestination({ tenant, name: to });
  const announcement = place.slice(0, place.lastIndexOf('@'));
  const isOne = place === placeAt(announcement, name) && announcement.split(':')[1] === tenant;
  return isOne ? placeAt(announcement, to) : undefined;
}
