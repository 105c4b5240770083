import { Option } from 'commander';
import type { z } from 'zod';
import type { Check } from '../../app/doctor/check.ts';
import { checkDestinations } from '../../app/doctor/receivers.ts';
import { checkWarehouse } from '../../app/doctor/warehouse.ts';
import type { Config } from '../../config/config.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { warehouseNames } from '../../config/variables/warehouse.ts';
import { accessForms } from '../../warehouse/settings.ts';

export type Answers = Readonly<Record<string, string>>;

export interface Question {
  readonly variable: string;
  /** Also the comment in the file. */
  readonly text: string;
  /** Undefined for a secret, which the list of processes would show. */
  readonly flag?: string | undefined;
  readonly usual?: ((answers: Answers) => string | undefined) | undefined;
}

export interface Group {
  readonly questions: readonly Question[];
  readonly check: (tenant: TenantSettings, config: Config) => Promise<readonly Check[]>;
}

const wordsOf = ({ description = '' }: z.ZodType): string => description.replace(/\.( .*)?$/s, '').replaceAll('`', '');

const ofAccess = (key: keyof typeof accessForms, flag?: string, usual?: Question['usual']): Question => ({
  variable: warehouseNames[key],
  text: wordsOf(accessForms[key]),
  flag,
  usual,
});

export const groups: readonly Group[] = [
  {
    check: checkWarehouse,
    questions: [
      ofAccess('baseUrl', '--warehouse <url>', () => 'https://secure-wms.com'),
      ofAccess('authUrl', '--auth <url>', ({ WAREHOUSE_BASE_URL }) => WAREHOUSE_BASE_URL),
      ofAccess('clientId', '--client-id <id>'),
      ofAccess('clientSecret'),
      ofAccess('userLogin', '--login <login>'),
      {
        variable: 'WAREHOUSE_TENANT',
        text: 'Account number (tplId), which is in each webhook and in the address of the warehouse',
        flag: '--tenant <tplId>',
      },
    ],
  },
  {
    check: checkDestinations,
    questions: [
      {
        variable: 'ANNOUNCE_URL',
        text: 'URL of your receiver, to which announcements are posted',
        flag: '--announce <url>',
      },
    ],
  },
];

export const questions: readonly Question[] = groups.flatMap((group) => group.questions);

export const optionOf = ({ flag, text, variable }: Question): Option | undefined =>
  flag === undefined ? undefined : new Option(flag, `${text} (${variable})`);
