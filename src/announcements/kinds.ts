import type { z } from 'zod';
import { amqp } from './amqp.ts';
import { http } from './http.ts';
import type { Kind, OpenDestination, Surroundings } from './kind.ts';
import { temporal } from './temporal.ts';

/** Every kind of destination, by its name in the configuration. */
export const kinds = { http, amqp, temporal } as const;

/** Name of a kind of destination. */
export type KindName = keyof typeof kinds;

/** Key of a setting that some kind has. */
export type SettingKey = { [Name in KindName]: keyof (typeof kinds)[Name]['forms'] }[KindName];

/** Kind of a destination that names none. */
export const USUAL_KIND = 'http' satisfies KindName;

/** Settings of a destination: the name of its kind, and those of that kind. */
export type KindSettings = {
  [Name in KindName]: (Name extends typeof USUAL_KIND ? { readonly kind?: Name } : { readonly kind: Name }) &
    ReturnType<(typeof kinds)[Name]['toSettings']>;
}[KindName];

/** Returns the kind of that name. The compiler cannot see that the settings which it then gets are of the same kind. */
export const kindOf = (name: KindName = USUAL_KIND) => kinds[name] as unknown as Kind<z.ZodRawShape, KindSettings>;

export const openDestination = (settings: KindSettings, surroundings: Surroundings): OpenDestination =>
  kindOf(settings.kind).open(settings, surroundings);
