import { Option } from 'commander';
import type { z } from 'zod';
import type { Area } from '../../app/doctor/run-checks.ts';
import { accessForms } from '../../warehouse/settings.ts';

/** Answers of a person, by the variable that each sets. */
export type Answers = Readonly<Record<string, string>>;

/** Question that a variable answers. */
export interface Question {
  readonly variable: string;
  /** Words of the question, which become the comment in the file. */
  readonly text: string;
  /** Undefined for a secret, which would be seen in the list of processes. */
  readonly flag?: string;
  /** May be left empty. */
  readonly isOptional?: boolean;
  /** Answer of those who only press Enter. */
  readonly usual?: (answers: Answers) => string | undefined;
}

/** Questions whose answers are tried together. */
export interface Group {
  readonly questions: readonly Question[];
  /** Checks of the doctor that try them. */
  readonly areas: readonly Area[];
}

/** Returns the first sentence of the description of a setting, without its full stop. */
const wordsOf = ({ description = '' }: z.ZodType): string => description.replace(/\.( .*)?$/s, '').replaceAll('`', '');

/** The steps of the README from the credential to the destination. */
export const groups: readonly Group[] = [
  {
    areas: ['warehouse', 'clock'],
    questions: [
      {
        variable: 'WAREHOUSE_BASE_URL',
        text: wordsOf(accessForms.baseUrl),
        flag: '--warehouse <url>',
        usual: () => 'https://secure-wms.com',
      },
      {
        variable: 'WAREHOUSE_AUTH_URL',
        text: wordsOf(accessForms.authUrl),
        flag: '--auth <url>',
        usual: ({ WAREHOUSE_BASE_URL }) => WAREHOUSE_BASE_URL,
      },
      { variable: 'WAREHOUSE_CLIENT_ID', text: wordsOf(accessForms.clientId), flag: '--client-id <id>' },
      { variable: 'WAREHOUSE_CLIENT_SECRET', text: wordsOf(accessForms.clientSecret) },
      {
        variable: 'WAREHOUSE_USER_LOGIN',
        text: wordsOf(accessForms.userLogin),
        flag: '--login <login>',
      },
      {
        variable: 'WAREHOUSE_TENANT',
        text: 'Account number (tplId); leave it empty if you do not know it: the first webhook names it',
        flag: '--tenant <tplId>',
        isOptional: true,
      },
    ],
  },
  {
    areas: ['destination'],
    questions: [
      {
        variable: 'ANNOUNCE_URL',
        text: 'URL of your receiver, to which announcements are posted',
        flag: '--announce <url>',
      },
    ],
  },
];

/** All questions, in their order. */
export const questions: readonly Question[] = groups.flatMap((group) => group.questions);

/** Returns the option of a question; undefined for a secret. */
export const optionOf = ({ flag, text, variable }: Question): Option | undefined =>
  flag === undefined ? undefined : new Option(flag, `${text} (${variable})`);
