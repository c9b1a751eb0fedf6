-- AlterTable
ALTER TABLE "DagRun" ADD COLUMN     "profile" TEXT,
ADD COLUMN     "profileLayers" JSONB;

-- CreateTable
CREATE TABLE "RuntimeProfile" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "isDisabled" BOOLEAN NOT NULL,
    "isProtected" BOOLEAN NOT NULL,
    "defaultProfile" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "RuntimeProfile_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RuntimeProfileEntry" (
    "profileId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT,
    "keyId" TEXT,
    "text" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "RuntimeProfileEntry_pkey" PRIMARY KEY ("profileId","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "runtime_profile_name_key" ON "RuntimeProfile"("name");

-- AddForeignKey
ALTER TABLE "RuntimeProfileEntry" ADD CONSTRAINT "RuntimeProfileEntry_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "RuntimeProfile"("id") ON DELETE CASCADE ON UPDATE CASCADE;
