import { describeFixtures } from '../support/fixtures';

describeFixtures('loops that run', __dirname);
