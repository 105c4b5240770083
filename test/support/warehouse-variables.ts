import type { Simulator } from '../../sandbox/simulator/simulator.ts';

/** Variables by which Dockline reaches a simulated warehouse, as that of account 9104. */
export const variablesOf = ({
  baseUrl,
  authUrl,
  credentials,
}: Pick<Simulator, 'baseUrl' | 'authUrl' | 'credentials'>) => ({
  WAREHOUSE_TENANT: '9104',
  WAREHOUSE_BASE_URL: baseUrl,
  WAREHOUSE_AUTH_URL: authUrl,
  WAREHOUSE_CLIENT_ID: credentials.clientId,
  WAREHOUSE_CLIENT_SECRET: credentials.clientSecret,
  WAREHOUSE_USER_LOGIN: credentials.userLogin,
});

/** Variables of a warehouse that nobody reaches. */
export const unreachable = {
  WAREHOUSE_TENANT: '9104',
  WAREHOUSE_BASE_URL: 'https://warehouse.test',
  WAREHOUSE_AUTH_URL: 'https://warehouse.test',
  WAREHOUSE_CLIENT_ID: 'id',
  WAREHOUSE_CLIENT_SECRET: 'secret',
  WAREHOUSE_USER_LOGIN: 'dockline',
};
