import { z } from 'zod';

/** Any text but none. */
export const text = z.string().min(1, 'must not be empty');

/** An address of HTTP, with or without TLS. */
export const address = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' });

/** A `tplId`: part of workflow ids, task queues and addresses, so no more than its 24 characters and none that separates. */
export const tenant = z
  .string()
  .regex(/^[\w-]{1,24}$/, 'must be of letters, digits, hyphens and underscores, at most 24');

/** The types of credential that give access to an operator's data (specification 5.1). */
export const credential = z
  .enum(['single-tenant-static', 'single-tenant-dynamic', 'multi-tenant'])
  .refine((type) => type !== 'multi-tenant', 'a multi-tenant credential maintains tenants, not their data');

/** The operator in a token request (specification 2.1). */
export const tpl = z.guid('must be a GUID');

/** Retrievals a second. */
export const callsPerSecond = z.coerce.number('must be a number').positive('must be more than 0');

/** The ways in which deliveries are verified. */
export const verify = z.enum(['rsa-sha256', 'token', 'none']);

/** What `verify: token` compares with. */
export const token = z.string().min(16, 'must have at least 16 characters');

/** What announcements are signed with. */
export const announceSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and at least 24 bytes in base64');

/** What is wrong between a credential and its `tpl` (specification 2.1, 5.1), or undefined. Without a type, `tpl` tells it. */
export function tplProblem(type: unknown, given: unknown): string | undefined {
  if (type === 'single-tenant-dynamic' && given === undefined)
    return 'is needed with a single-tenant-dynamic credential';
  if (type === 'single-tenant-static' && given !== undefined)
    return 'is not for a single-tenant-static credential, which was issued for one operator';
  return undefined;
}
