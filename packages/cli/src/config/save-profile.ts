import type { Shell } from '../frame/shell.ts';
import type { Profile } from './config-file.ts';

/** Makes it the current one where it is the first. What the profile has beside it stays, if it is of the same marketplace. */
export async function saveProfile(shell: Shell, profile: Profile): Promise<void> {
  const { profileName } = shell.settings;
  const { config } = shell;
  const present = config.profiles[profileName];
  const isFirst = Object.keys(config.profiles).length === 0;
  await shell.saveConfig({
    profile: isFirst ? profileName : config.profile,
    profiles: {
      ...config.profiles,
      [profileName]: { ...(present?.url === profile.url ? present : {}), ...profile },
    },
  });
}
