import { describeFixtures } from '../support/fixtures';

describeFixtures('207 Light steps', __dirname);
