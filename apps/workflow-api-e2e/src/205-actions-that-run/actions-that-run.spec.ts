import { describeFixtures } from '../support/fixtures';

describeFixtures('actions that run', __dirname);
