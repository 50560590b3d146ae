/**
 * Indonesian and Malay: words and forms that differ. A row says the same thing in each, in the order of `languages`; several words of a
 * cell are forms of one word, words of the same meaning, or words in the same order. Everyday Indonesian has
 * rows of its own. Rows at the end are the same in both.
 */
export const indMsa = {
  languages: ["ind", "msa"],
  rows: `
karena bisa | kerana boleh
dapat bisa tidak bisa | dapat boleh tidak boleh
Amerika Serikat | Amerika Syarikat
perserikatan serikat | syarikat
perusahaan universitas | syarikat universiti
kualitas fasilitas aktivitas komunitas identitas | kualiti fasiliti aktiviti komuniti identiti
kapasitas prioritas universitas realitas | kapasiti keutamaan universiti realiti
polisi kepolisian | polis
kantor perkantoran | pejabat
uang keuangan | wang kewangan
mata uang | mata wang
kereta api mobil | kereta api kereta
mobil | kereta
sepeda motor | motosikal
sepeda | basikal
rumah sakit | hospital
apotek | farmasi
sekolah dasar menengah | sekolah rendah menengah
mahasiswa siswa | pelajar mahasiswa
Agustus Maret | Ogos Mac
Juni Juli | Jun Julai
Desember | Disember
Senin Selasa Rabu Kamis Jumat Sabtu Minggu | Isnin Selasa Rabu Khamis Jumaat Sabtu Ahad
Minggu | Ahad
Inggris bahasa Inggris | Inggeris bahasa Inggeris
Jerman Prancis Belanda Spanyol | Jerman Perancis Belanda Sepanyol
Jepang | Jepun
Cina Tiongkok | China
Yunani Romawi | Yunani Rom
Rusia Eropa | Rusia Eropah
Eropa | Eropah
Selandia Baru | New Zealand
Indonesia Jakarta Jawa Sumatra Kalimantan Sulawesi Bali | Malaysia Kuala Lumpur Selangor Johor Sabah Sarawak Pulau Pinang
Bandung Surabaya Yogyakarta Medan Semarang Makassar | Melaka Ipoh Perak Kedah Kelantan Terengganu Pahang
kabupaten kecamatan kelurahan provinsi | daerah mukim negeri wilayah
provinsi | wilayah negeri
bupati gubernur wali kota | menteri besar ketua menteri datuk bandar
presiden wakil presiden | perdana menteri timbalan perdana menteri
DPR MPR KPK Polri TNI | UMNO PKR PAS DAP PDRM
rupiah | ringgit
Rp miliar triliun juta | RM bilion trilion juta
miliar persen delapan nomor | bilion peratus lapan nombor
nol | sifar kosong
berita koran | berita akhbar
koran surat kabar | akhbar surat khabar
wartawan pers | wartawan akhbar
televisi radio | televisyen radio
televisi | televisyen
telepon ponsel | telefon telefon bimbit
situs web laman situs | laman web
unduh mengunduh | muat turun memuat turun
unggah mengunggah diunggah | muat naik memuat naik dimuat naik
unggah | muat naik
pengaturan tautan | tetapan pautan
kata sandi | kata laluan
surel email | e-mel
ubah mengubah | ubah mengubah tukar
kirim mengirim dikirim | hantar menghantar dihantar
coba mencoba | cuba mencuba
coba | cuba
ujarnya katanya ucapnya | katanya ujar beliau
ujar dia kata dia tutur dia | katanya ujar beliau
kalian kamu Anda | kamu anda awak
saja | sahaja
beda berbeda perbedaan | beza berbeza perbezaan
berbeda | berbeza
butuh membutuhkan dibutuhkan kebutuhan | perlu memerlukan diperlukan keperluan
membutuhkan kebutuhan | memerlukan keperluan
mau ingin | mahu ingin
mau | mahu
bicara berbicara | bercakap berbicara
berbicara kapan | bercakap bila
kapan ketika saat | bila ketika apabila
saat ketika waktu | semasa ketika waktu
ketika saat | apabila ketika
saat ini | kini pada masa ini
nanti besok | nanti esok
besok kemarin | esok semalam
kemarin | semalam
pekan minggu | minggu
sore pagi siang malam | petang pagi tengah hari malam
sore | petang
musim panas semi gugur dingin | musim panas bunga luruh sejuk
anak laki-laki perempuan | budak lelaki perempuan
laki-laki pria | lelaki
pria wanita | lelaki wanita
ibu bapak ayah | ibu bapa ayah
bapak | bapa
kakak adik | kakak abang adik
paman bibi | pak cik mak cik
teman kawan | kawan rakan
rekan | rakan
suami istri | suami isteri
istri | isteri
pemerintah pemerintahan | kerajaan
kebijakan | dasar polisi
pengadilan hakim jaksa | mahkamah hakim pendakwa
pengadilan | mahkamah
tersangka terdakwa | suspek tertuduh
korban | mangsa
korban tewas | mangsa terkorban
tewas meninggal | terkorban meninggal
kecelakaan | kemalangan
kebakaran banjir gempa | kebakaran banjir gempa bumi
rapat pertemuan | mesyuarat pertemuan
rapat | mesyuarat
pemilu pemilihan umum | pilihan raya
partai | parti
partai politik | parti politik
anggota | ahli anggota
ketua | pengerusi ketua
ketua umum | presiden parti
pejabat | pegawai
karyawan pegawai buruh | pekerja kakitangan
karyawan direktur sutradara manajer | pekerja pengarah pengarah pengurus
manajemen | pengurusan
layanan pelayanan | perkhidmatan
pelayanan layanan informasi | perkhidmatan perkhidmatan maklumat
penelitian riset peneliti | penyelidikan kajian penyelidik
penelitian | penyelidikan
ilmuwan ilmu | saintis ilmu
ilmu pengetahuan | sains
proyek obyek sirkuit energi | projek objek litar tenaga
listrik | elektrik
gas minyak bensin | gas minyak petrol
bensin | petrol
bandara | lapangan terbang
pesawat | pesawat kapal terbang
stasiun | stesen
jalan jalan raya jalan tol | jalan jalan raya lebuh raya
jembatan gedung | jambatan bangunan
gedung bangunan | bangunan
kamar | bilik
kamar mandi ruang | bilik mandi bilik
toko | kedai
restoran rumah makan warung | restoran kedai makan
wisata wisatawan pariwisata | pelancongan pelancong
wisatawan | pelancong
liburan libur | cuti percutian
libur olahraga | cuti sukan
sepak bola | bola sepak
pemain pelatih | pemain jurulatih
pelatih | jurulatih
pertandingan | perlawanan pertandingan
turnamen kejuaraan | kejohanan
kejuaraan klub tim | kejohanan kelab pasukan
gol skor | gol jaringan
grup kelompok | kumpulan kumpulan
kelompok grup | kumpulan
film | filem
aktor aktris | pelakon
pemeran aktor | pelakon
seri serial | siri
seri musik gratis belanja | siri muzik percuma beli-belah
bisnis | perniagaan
bisnis usaha | perniagaan
ekspor impor | eksport import
ekspor impor transportasi | eksport import pengangkutan
produksi produk | pengeluaran produk
produksi produser konsumen investasi | pengeluaran penerbit pengguna pelaburan
investor pajak | pelabur cukai
anggaran | belanjawan bajet
asuransi rekening akun | insurans akaun akaun
kesehatan sehat | kesihatan sihat
kesehatan sehat | kesihatan sihat
obat obat-obatan | ubat ubat-ubatan
obat dokter perawat pasien | ubat doktor jururawat pesakit
kanker | kanser
nasehat nasihat | nasihat
resiko | risiko
sarapan makan siang | sarapan makan tengah hari
es krim es | ais krim ais
gula garam kecap | gula garam kicap
ayam sapi kambing babi | ayam lembu kambing babi
sapi | lembu
wortel kentang | lobak merah kentang
air laut sungai danau | air laut sungai tasik
danau | tasik
samudra samudera | lautan
desa kota | kampung bandar
kota | bandar
ibu kota ibukota | ibu kota ibu negara
warga masyarakat | rakyat masyarakat
agama Islam Kristen Katolik | agama Islam Kristian Katolik
Kristen Alkitab Alquran | Kristian Bible al-Quran
salat sholat puasa | solat puasa
perang militer tentara | perang tentera
tentara militer | tentera tentera
angkatan darat laut udara | tentera darat laut udara
abad | abad kurun
dunia internasional | dunia antarabangsa
internasional nasional lokal resmi | antarabangsa kebangsaan tempatan rasmi
khusus | khas khusus
khusus | khas
umum | umum am
umum modern | awam moden
maksimal minimal | maksimum minimum
efektif efisien | berkesan cekap
sulit susah | sukar susah
sulit | sukar
mudah gampang | mudah senang
gampang | senang
senang gembira | gembira
sangat sekali | sangat sekali amat
cukup | cukup agak
banyak | banyak ramai
banyak orang | ramai orang
setiap tiap | setiap
apakah | adakah
yaitu yakni | iaitu yakni
yaitu | iaitu
meski meskipun | walaupun
hingga sampai | hingga sehingga
antara lain | antaranya
hal | hal perkara
hal ini | perkara ini
solusi | penyelesaian
tujuan sasaran | tujuan matlamat
target | sasaran
kesempatan peluang | peluang
kesempatan | peluang
memakai pakai | memakai guna
memulai dimulai mulai | memulakan dimulakan mula
mulai | mula
tiba | tiba sampai
tinggal bertempat | tinggal menetap
menikah | berkahwin
menikah pernikahan | berkahwin perkahwinan
nikah | kahwin
menemukan ditemukan | menemui ditemui
ditemukan | ditemui
mengerti paham | faham mengerti
paham memahami | faham memahami
pikir berpikir pikiran | fikir berfikir fikiran
pikir napas | fikir nafas
merubah mengubah | mengubah
memiliki | mempunyai
terjadi kejadian | berlaku kejadian
terjadi | berlaku
bergabung gabung | menyertai sertai
bergabung dengan | menyertai
mengadakan diadakan digelar menggelar | mengadakan diadakan
digelar | diadakan
diposting posting | disiarkan
diluncurkan meluncurkan | dilancarkan melancarkan
meluncurkan jadwal | melancarkan jadual
acara | acara majlis
acara | majlis
upacara | upacara istiadat
panitia komite komisi | jawatankuasa jawatankuasa suruhanjaya
dewan | dewan majlis
organisasi | pertubuhan organisasi
organisasi departemen dinas | pertubuhan jabatan jabatan
jurusan fakultas | jurusan fakulti
fakultas | fakulti
profesor dosen guru | profesor pensyarah guru
dosen | pensyarah
kelas | kelas darjah
gelar | gelaran ijazah
sarjana | sarjana ijazah
bahasa kata kalimat | bahasa kata ayat
kalimat | ayat
artikel | artikel rencana
novel puisi | novel puisi sajak
populer favorit | popular kegemaran
hewan binatang | haiwan binatang
hewan pohon | haiwan pokok
cokelat coklat abu-abu ungu | coklat kelabu ungu
oranye | oren jingga
kaos baju celana | baju kemeja seluar
celana sepatu tas | seluar kasut beg
kursi meja | kerusi meja
kursi lemari handuk | kerusi almari tuala
kunci pintu jendela | kunci pintu tingkap
jendela | tingkap
gue gua lo lu | aku kau
nggak enggak gak ga | tak tidak
nggak | tak
gak bisa | tak boleh
banget banget | sangat sungguh
aja | saja je
udah | dah
udah belum | dah belum
kayak kaya gini gitu | macam ni macam tu
gimana | macam mana
kok sih dong deh nih tuh | lah kan pun
yuk ayo | jom
ayo | jom
cuma cuman | cuma
sama bikin bilang | dengan buat cakap
bilang ngomong | cakap
kasih | bagi
pengen pengin | nak
mau | nak
cowok cewek | lelaki perempuan
bokap nyokap | ayah mak
keren asyik | hebat
bagus baik | bagus baik elok
tau tahu | tahu
lagi sedang | sedang tengah
bareng | bersama
dulu | dahulu dulu
entar ntar | nanti
emang memang | memang
makasih | terima kasih
dibanding dibandingkan | berbanding
dibandingkan | berbanding
dimana di mana | di mana
dari pada daripada | daripada
dari | dari daripada
per tahun | setahun
rata-rata | purata
jumlah total | jumlah
jumlah | bilangan
sebanyak sebesar | sebanyak
sebesar | sebanyak
sekitar | sekitar kira-kira
sekitar | kira-kira
perlahan pelan | perlahan
cepat | cepat pantas laju
cepat | pantas
keras lunak | keras lembut
dingin panas hangat | sejuk panas suam
dingin | sejuk
bodoh pintar cerdas | bodoh pandai bijak
pintar | pandai
cantik tampan ganteng | cantik kacak
lapar haus | lapar dahaga
haus | dahaga
jelek buruk | buruk hodoh
berantakan | bersepah
kadang-kadang terkadang | kadang-kadang kadangkala
segera langsung | segera terus
langsung | terus
bahkan malah | malah bahkan
justru | sebaliknya
rupanya ternyata | rupanya
ternyata | rupanya
terkait berkaitan | berkaitan
terkait | berkaitan
dukungan mendukung didukung | sokongan menyokong disokong
mendukung dukungan | menyokong sokongan
dorong mendorong | dorong mendorong galak menggalakkan
kampanye | kempen
kekuasaan kuasa | kuasa
demonstrasi unjuk rasa | tunjuk perasaan demonstrasi
unjuk rasa | tunjuk perasaan
teroris | pengganas
teroris terorisme | pengganas keganasan
bom ledakan | bom letupan
ledakan | letupan
mencuri pencuri pencurian | mencuri pencuri kecurian
penjara lapas | penjara
narkoba kesejahteraan | dadah kebajikan
lingkungan | alam sekitar persekitaran
lingkungan hidup | alam sekitar
lingkungan | persekitaran
sampah limbah | sampah sisa
daerah wilayah | daerah kawasan
wilayah derajat | kawasan darjah
Februari Januari April Mei September Oktober November Korea Selatan Mesir Arab Saudi | Februari Januari April Mei September Oktober November Korea Selatan Mesir Arab Saudi
Singapura Malaysia Filipina Thailand menteri kementerian komputer klik pengguna kata berkata mengatakan | Singapura Malaysia Filipina Thailand menteri kementerian komputer klik pengguna kata berkata mengatakan
dia ia beliau kita kami mereka hanya juga sudah belum telah akan | dia ia beliau kita kami mereka hanya juga sudah belum telah akan
sedang melihat lihat bagaimana kenapa mengapa sekarang pukul jam tahun bulan hari | sedang melihat lihat bagaimana kenapa mengapa sekarang pukul jam tahun bulan hari
lalu kemudian terakhir akhir saudara kerajaan undang-undang hukum peraturan kerja bekerja pekerjaan | lalu kemudian terakhir akhir saudara kerajaan undang-undang hukum peraturan kerja bekerja pekerjaan
gaji pendidikan teknologi analisis program objek subjek sistem pelabuhan pasar juara liga | gaji pendidikan teknologi analisis program objek subjek sistem pelabuhan pasar juara liga
lagu penyanyi gambar foto murah mahal harga beli membeli jual menjual perdagangan | lagu penyanyi gambar foto murah mahal harga beli membeli jual menjual perdagangan
ekonomi penerbit saham bank sakit penyakit virus vaksin risiko makan makanan minum | ekonomi penerbit saham bank sakit penyakit virus vaksin risiko makan makanan minum
minuman keju roti kelapa gunung pulau hutan barat timur utara selatan tenggara | minuman keju roti kelapa gunung pulau hutan barat timur utara selatan tenggara
penduduk warga negara bangsa gereja masjid ustaz Tuhan Allah senjata serangan menyerang | penduduk warga negara bangsa gereja masjid ustaz Tuhan Allah senjata serangan menyerang
pasukan musuh sejarah zaman abad aktif pasif normal formal bahagia sama seperti | pasukan musuh sejarah zaman abad aktif pasif normal formal bahagia sama seperti
lebih paling beberapa ramai semua seluruh masing-masing tersebut itu ini begitu demikian | lebih paling beberapa ramai semua seluruh masing-masing tersebut itu ini begitu demikian
adalah merupakan ialah contohnya misalnya tetapi tapi namun walaupun meskipun sehingga agar | adalah merupakan ialah contohnya misalnya tetapi tapi namun walaupun meskipun sehingga agar
supaya oleh untuk bagi terhadap tentang mengenai antara selain akibat alasan sebab | supaya oleh untuk bagi terhadap tentang mengenai antara selain akibat alasan sebab
cara masalah persoalan keputusan memutuskan mendapatkan memperoleh memberikan memberi diberikan menggunakan memakai | cara masalah persoalan keputusan memutuskan mendapatkan memperoleh memberikan memberi diberikan menggunakan memakai
menjadi membuat dibuat melakukan dilakukan selesai berhenti menghentikan datang pergi pulang lahir | menjadi membuat dibuat melakukan dilakukan selesai berhenti menghentikan datang pergi pulang lahir
dilahirkan bertemu jumpa mencari cari menunggu tunggu pasti maaf terima kasih selamat | dilahirkan bertemu jumpa mencari cari menunggu tunggu pasti maaf terima kasih selamat
tolong bantu bantuan mempunyai memiliki kembali ikut mengikuti yayasan lembaga badan kuliah | tolong bantu bantuan mempunyai memiliki kembali ikut mengikuti yayasan lembaga badan kuliah
lulus lulusan buku pustaka perpustakaan huruf majalah cerita kisah penulis tokoh seni | lulus lulusan buku pustaka perpustakaan huruf majalah cerita kisah penulis tokoh seni
budaya kebudayaan terkenal spesies burung ikan tanaman tumbuhan bunga daun buah warna | budaya kebudayaan terkenal spesies burung ikan tanaman tumbuhan bunga daun buah warna
merah putih hitam dompet duit kepada pada hampir sedikit tua muda kuat | merah putih hitam dompet duit kepada pada hampir sedikit tua muda kuat
lemah takut berani selalu sering jarang malahan mungkin barangkali tentu soal demokrasi | lemah takut berani selalu sering jarang malahan mungkin barangkali tentu soal demokrasi
konflik menembak tembak membunuh pembunuhan rokok kebijaksanaan cuaca iklim bencana kawasan luas | konflik menembak tembak membunuh pembunuhan rokok kebijaksanaan cuaca iklim bencana kawasan luas
panjang tinggi kilometer meter | panjang tinggi kilometer meter
`,
};
