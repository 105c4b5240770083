import { z } from 'zod';
import type { AccessToken, Role } from '../admin/access.ts';
import { isDistinct, list } from './forms.ts';

/** Roles by the words that a variable gives a token. Whoever acts, or reads bodies, reads the rest as well. */
const rolesOf = {
  read: ['read'],
  act: ['read', 'act'],
  bodies: ['read', 'bodies'],
  manage: ['read', 'manage'],
  all: ['read', 'act', 'bodies', 'manage'],
} as const satisfies Record<string, readonly Role[]>;

/** Name of the token of `ADMIN_TOKEN`. */
const ONLY = 'ADMIN_TOKEN';

const FORM =
  /^([\w.-]{1,40}):((?:read|act|bodies|manage|all)(?:\+(?:read|act|bodies|manage|all))*):([\x21-\x7e]{16,})$/;

const adminToken = z
  .string()
  .regex(
    FORM,
    'must be of the form name:roles:token, such as support:read:… or shift.lead:act+bodies:…; roles are read, act, bodies, manage and all, tokens have at least 16 characters',
  )
  .transform((text): AccessToken => {
    const [, name = '', words = '', token = ''] = FORM.exec(text) ?? [];
    const roles = words.split('+').flatMap((word) => rolesOf[word as keyof typeof rolesOf]);
    return { name, roles: rolesOf.all.filter((role) => roles.includes(role)), token };
  });

/** Form of tokens in one text, `name:roles:token,…`. */
export const adminTokens = list
  .prefault('')
  .pipe(z.array(adminToken))
  .refine((tokens) => isDistinct(tokens.map(({ name }) => name)), 'must give each token a name of its own')
  .refine((tokens) => isDistinct(tokens.map(({ token }) => token)), 'must not give two names the same token')
  .refine((tokens) => tokens.every(({ name }) => name !== ONLY), `must not name a token ${ONLY}`);

/** Returns every token of the administrative API; that of `ADMIN_TOKEN` has all roles. */
export const accessTokens = ({
  ADMIN_TOKEN: token,
  ADMIN_TOKENS: others,
}: {
  readonly ADMIN_TOKEN?: string | undefined;
  readonly ADMIN_TOKENS: readonly AccessToken[];
}): readonly AccessToken[] => [...(token === undefined ? [] : [{ name: ONLY, roles: rolesOf.all, token }]), ...others];
