import { createGroups } from './process-groups';
import { serveSpawns } from './serve-spawns';

// The program of the spawner: the build makes a file of its own of it.
serveSpawns(createGroups());
