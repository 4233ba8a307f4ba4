import { z } from 'zod';
import { displayName, emailAddress, longText, text, webAddress } from '#input-values';
import { black, colorText, contrastOf, parseColor, readableContrast, readableOn, white } from './color.ts';
import { signupPolicies } from './organization.entity.ts';

/** A colour in which text can be read on white, and white text on it (reference/organizations.md#accent). */
export const accentColor = text
  .transform((value, context) => {
    const color = parseColor(value);
    if (color && contrastOf(color, white) >= readableContrast) return colorText(color);
    context.addIssue({
      code: 'custom',
      message: color
        ? `Must have a contrast of at least ${readableContrast} to white, or nobody can read it. A darker one that has it: ${colorText(readableOn(white, color, black))}.`
        : 'Must be a colour like #2450c8.',
    });
    return z.NEVER;
  })
  .meta({ pattern: '^#[0-9A-Fa-f]{6}$' });

/** Absent fields keep their values (reference/organizations.md#organization). */
export const organizationFields = {
  name: displayName.meta({ description: 'Name, 1 to 200 characters.' }),
  signup: z.enum(signupPolicies).meta({ description: 'Who may join by sign-up.' }),
  description: longText(20_000)
    .nullable()
    .meta({ description: 'The description on its public page: Markdown, up to 20,000 characters; null for nothing.' }),
  website: webAddress.nullable().meta({ description: 'Its own site, an http or https URL; null for none.' }),
  contact_email: emailAddress
    .nullable()
    .meta({ description: 'The address that its public pages show for questions; null for none.' }),
  accent: accentColor.nullable().meta({
    description: 'The colour of its public pages, `#rrggbb`, with a contrast of at least 4.5 to white; null for ours.',
  }),
};
