import { describeFixtures } from '../support/fixtures';

describeFixtures('216 Artifacts', __dirname);
