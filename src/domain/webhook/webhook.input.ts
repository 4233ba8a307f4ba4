import { z } from 'zod';
import type { Context } from '../../engine/context.ts';
import type { Issue } from '../../kernel/errors.ts';
import { list } from '../../kernel/input/list.ts';
import { hasAtMost, text } from '../../kernel/input/text.ts';
import { targetFault, variableThatAllows } from '../../kernel/network/target-url.ts';
import { changeKinds } from '../change/change.table.ts';

const longestUrl = 2_000;
const longestDescription = 500;

/** The fields that creating and changing have in common. */
export const webhookFields = {
  url: text
    .refine((value) => hasAtMost(value, longestUrl), `Must have at most ${longestUrl} characters.`)
    .meta({ maxLength: longestUrl, description: 'Where changes are sent: an absolute https URL.' }),
  kinds: list(z.enum(changeKinds), {
    min: { items: 1, message: 'Must name at least one kind.' },
    max: { items: changeKinds.length, message: `Must name at most ${changeKinds.length} kinds.` },
  })
    .refine((kinds) => new Set(kinds).size === kinds.length, 'Must not name a kind twice.')
    .meta({ description: 'The kinds of changes that are sent.' }),
  description: text
    .refine((value) => hasAtMost(value, longestDescription), `Must have at most ${longestDescription} characters.`)
    .meta({ maxLength: longestDescription, description: 'What it is for.' }),
};

/** Whether webhooks may reach the URL, which depends on the settings of the service. */
export async function checkUrl(ctx: Context, { url }: Readonly<Record<string, unknown>>): Promise<Issue[]> {
  if (typeof url !== 'string' || !hasAtMost(url, longestUrl)) return [];
  const { allowedTargets, settings } = ctx.services;
  const fault = targetFault(url, allowedTargets);
  if (fault === null) return [];
  const variable = settings.namesVariables ? variableThatAllows(url) : null;
  const detail = variable ? `${fault} To allow it here, start the service with ${variable}.` : fault;
  return [{ pointer: '/url', code: 'VALIDATION_ERROR', detail }];
}
