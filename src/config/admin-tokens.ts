import { z } from 'zod';
import type { AccessToken, Role } from '../admin/access.ts';
import type { Limit } from '../domain/permission.ts';
import { problemOfCustomer } from '../forms/destination-forms.ts';
import { isDistinct, list } from '../forms/forms.ts';

/** Whoever acts, or reads bodies, reads the rest as well. */
const rolesOf = {
  read: ['read'],
  act: ['read', 'act'],
  bodies: ['read', 'bodies'],
  manage: ['read', 'manage'],
  all: ['read', 'act', 'bodies', 'manage'],
} as const satisfies Record<string, readonly Role[]>;

const ONLY = 'ADMIN_TOKEN';

const FORM =
  /^([\w.-]{1,40}):((?:read|act|bodies|manage|all)(?:\+(?:read|act|bodies|manage|all))*)(?:@([^:]*))?:([\x21-\x7e]{16,})$/;

const LIMIT = /^([\w.-]+)(?:\/([\w.-]+))?$/;

const adminToken = z
  .string()
  .regex(
    FORM,
    'must be of the form name:roles:token, such as support:read:… or shift.lead:act+bodies:…, or, limited to a customer, acme:read+bodies@9104/77:…; roles are read, act, bodies, manage and all, tokens have at least 16 characters',
  )
  .transform((text, context): AccessToken => {
    const [, name = '', words = '', parts, token = ''] = FORM.exec(text) ?? [];
    const given = words.split('+').flatMap((word) => rolesOf[word as keyof typeof rolesOf]);
    const roles = rolesOf.all.filter((role) => given.includes(role));
    if (parts === undefined) return { name, roles, token };
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    const limits = parts.split('+').map((part) => LIMIT.exec(part));
    if (limits.includes(null))
      refuse('must limit a token to accounts or their customers, such as @9104 or @9104/77+9104/78');
    for (const [, , customer] of limits.map((it) => it ?? [])) {
      const problem = customer === undefined ? undefined : problemOfCustomer(customer);
      if (problem !== undefined) refuse(`must limit a token to customers by their ids: ${customer} ${problem}`);
    }
    if (roles.includes('manage')) refuse('must not give a limited token the role manage, or all');
    return { name, roles, token, limits: limits.map((it) => toLimit(it ?? [])) };
  });

const toLimit = ([, tenant = '', customer]: readonly (string | undefined)[]): Limit =>
  customer === undefined ? { tenant } : { tenant, customer };

/** Format: `name:roles[@limits]:token,…`. */
export const adminTokens = list
  .prefault('')
  .pipe(z.array(adminToken))
  .refine((tokens) => isDistinct(tokens.map(({ name }) => name)), 'must give each token a name of its own')
  .refine((tokens) => isDistinct(tokens.map(({ token }) => token)), 'must not give two names the same token')
  .refine((tokens) => tokens.every(({ name }) => name !== ONLY), `must not name a token ${ONLY}`);

export const accessTokens = ({
  ADMIN_TOKEN: token,
  ADMIN_TOKENS: others,
}: {
  readonly ADMIN_TOKEN?: string | undefined;
  readonly ADMIN_TOKENS: readonly AccessToken[];
}): readonly AccessToken[] => [...(token === undefined ? [] : [{ name: ONLY, roles: rolesOf.all, token }]), ...others];
