import { z } from 'zod';
import { type VerificationMethod, verificationNeeds, WHSEC } from './verification.ts';

/** Any text but none. */
export const text = z.string().min(1, 'must not be empty');

/** A list in one text, separated by commas. */
export const list = z.string().transform((items) =>
  items
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

/** An address of HTTP, with or without TLS. */
export const address = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' });

/** A `tplId`: part of workflow ids, task queues and addresses, so no more than its 24 characters and none that separates. */
export const tenant = z
  .string()
  .regex(/^[\w-]{1,24}$/, 'must be of letters, digits, hyphens and underscores, at most 24');

/** The types of credential that give access to a tenant's data (specification 5.1). */
export const credential = z
  .enum(['single-tenant-static', 'single-tenant-dynamic', 'multi-tenant'])
  .refine((type) => type !== 'multi-tenant', 'a multi-tenant credential maintains tenants, not their data');

/** The tenant in a token request (specification 2.1). */
export const tpl = z.guid('must be a GUID');

/** Retrievals a second. */
export const callsPerSecond = z.coerce.number('must be a number').positive('must be more than 0');

/** The ways in which deliveries are verified. */
export const verify = z.enum(Object.keys(verificationNeeds) as VerificationMethod[]);

/** A secret that another side shows or signs with: a token, a password. */
export const token = z.string().min(16, 'must have at least 16 characters');

/** Several of them in one text, where one is to take another's place. */
export const verificationSecrets = list.pipe(z.array(token).min(1, 'must have at least one'));

/** The name of a header; names are compared in lower case. */
export const headerName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, "must be a header's name")
  .toLowerCase();

/** How the bytes of a signature are written. */
export const signatureEncoding = z.enum(['hex', 'base64']);

/** What stands before a signature; printable, as a header's value is. */
export const signaturePrefix = z.string().regex(/^[\x21-\x7e]*$/, 'must be of printable characters without spaces');

/** How far a timestamp may be from now, in milliseconds. */
export const tolerance = z.coerce.number('must be a number').int().positive('must be more than 0');

/** A user of HTTP Basic, whose name ends at the first colon (RFC 7617). */
export const basicUser = z.string().regex(/^[^:\p{Cc}]+$/u, 'must be a name without a colon');

/** One value of a form, or a list of them; each problem is at the value that has it. */
export const oneOrSeveral = (form: z.ZodType<string>) =>
  z.unknown().transform((given, { issues }): string[] => {
    const isList = Array.isArray(given);
    const list: unknown[] = isList ? given : [given];
    if (list.length === 0) issues.push({ code: 'custom', message: 'must have at least one', input: given });
    return list.flatMap((value, index) => {
      const { data, error } = form.safeParse(value);
      if (!error) return data;
      const [message = ''] = error.issues.map((issue) => issue.message);
      issues.push({ code: 'custom', message, path: isList ? [index] : [], input: value });
      return [];
    });
  });

/** What announcements are signed with. */
export const announceSecret = z.string().regex(WHSEC, 'must be whsec_ and at least 24 bytes in base64');

/** What is wrong between a credential and its `tpl` (specification 2.1, 5.1), or undefined. Without a type, `tpl` tells it. */
export function tplProblem(type: unknown, given: unknown): string | undefined {
  if (type === 'single-tenant-dynamic' && given === undefined)
    return 'is needed with a single-tenant-dynamic credential';
  if (type === 'single-tenant-static' && given !== undefined)
    return 'is not for a single-tenant-static credential, which was issued for one tenant';
  return undefined;
}
