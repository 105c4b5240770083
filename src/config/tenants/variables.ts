import type { Variables } from '../variables.ts';
import type { TenantDefaults, TenantSettings } from './tenant.ts';
import { verificationOf } from './verification-variables.ts';

/** What the variables say of every tenant for which nothing else is set. */
export function tenantDefaults(variables: Variables): TenantDefaults {
  const { ANNOUNCE_URL: url, ANNOUNCE_SECRET: secret } = variables;
  return {
    detail: {
      orderDetail: variables.WAREHOUSE_ORDER_DETAIL,
      itemDetail: variables.WAREHOUSE_ITEM_DETAIL,
      receiptDetail: variables.WAREHOUSE_RECEIPT_DETAIL,
    },
    callsPerSecond: variables.WAREHOUSE_CALLS_PER_SECOND,
    verification: verificationOf(variables),
    destination: url && secret ? { url, secret } : undefined,
  };
}

/** The one tenant that variables can describe; undefined where they name no warehouse. */
export function tenantOf(variables: Variables): TenantSettings | undefined {
  if (!variables.WAREHOUSE_BASE_URL) return undefined;
  return {
    ...tenantDefaults(variables),
    id: variables.WAREHOUSE_TENANT,
    endpoint: variables.WEBHOOK_ENDPOINT,
    access: {
      baseUrl: variables.WAREHOUSE_BASE_URL,
      authUrl: variables.WAREHOUSE_AUTH_URL ?? '',
      clientId: variables.WAREHOUSE_CLIENT_ID ?? '',
      clientSecret: variables.WAREHOUSE_CLIENT_SECRET ?? '',
      userLogin: variables.WAREHOUSE_USER_LOGIN ?? '',
      tpl: variables.WAREHOUSE_TPL,
    },
  };
}
