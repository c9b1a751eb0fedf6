// The entry file. It checks the version of Node before the program is loaded.
import path from 'node:path';

const oldest = [22, 16] as const;

function isNewEnough(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

if (isNewEnough()) {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load the program before the check
  require(path.join(__dirname, 'program.js'));
} else {
  process.stderr.write(
    `weir-rollout: Node ${process.versions.node} is too old: 22.16 or newer is required. "npm start" in the root of the repository installs one.\n`,
  );
  process.exit(1);
}
