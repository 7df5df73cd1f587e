/** The fee schedule that sales settle under (clause: Versioning). */
export const FEE_SCHEDULE_VERSION = 1;
