import { TextSealer as Sealer } from '#sealed-text';

/** Encrypts texts for the database of this service. */
export class TextSealer extends Sealer {
  constructor(secrets: readonly string[]) {
    super(secrets, 'events-gateway');
  }
}
