import { OrganizationMoves } from './0038-organization-moves.ts';

/** Organizations move offline, by an export and an import. */
export class NoOrganizationMoves extends OrganizationMoves {
  override up(): void {
    super.down();
  }

  override down(): void {
    super.up();
  }
}
